// The ids of Bough's things. All are UUIDv7 strings (inventory T-007, T-055, C-07), made where the thing is asked for.
import type { Flavour } from '../std/flavour.ts';

export type ThreadId = Flavour<string, 'ThreadId'>;
export type NodeId = Flavour<string, 'NodeId'>;
export type TurnId = Flavour<string, 'TurnId'>;
export type RunId = Flavour<string, 'RunId'>;
export type ConnectionId = Flavour<string, 'ConnectionId'>;
export type AttachmentId = Flavour<string, 'AttachmentId'>;
/** A tab's engine client; with a submission id it names one command for ever. */
export type ClientId = Flavour<string, 'ClientId'>;
export type SubmissionId = Flavour<string, 'SubmissionId'>;
/** One installation of Bough in one browser profile. */
export type DeviceId = Flavour<string, 'DeviceId'>;
/** A hybrid logical clock reading whose string order is its order; see stamp.ts. */
export type Stamp = Flavour<string, 'Stamp'>;
