// Draws a large map on a canvas: only what is in view, and less of it from afar. SPEC.md OUTL-06.
import { linkPath, mapStep, shapePath, type MapThing, type TreeMap } from './map-layout.ts';
import type { Camera } from './pan-zoom.svelte.ts';
import { roleOf, type Role } from './tree-words.ts';

export interface MapColours {
	readonly paper: string;
	readonly line: string;
	readonly path: string;
	readonly text: string;
	readonly roles: Readonly<Record<Role, string>>;
}

/** Colours as the theme has them now; a probe's `color` is resolved where a custom property is not. */
export function coloursOf(probe: HTMLElement): MapColours {
	const resolve = (value: string) => {
		probe.style.color = value;
		return getComputedStyle(probe).color;
	};
	return {
		paper: resolve('var(--map-paper)'),
		line: resolve('var(--map-line)'),
		path: resolve('var(--map-path)'),
		text: resolve('var(--map-text)'),
		roles: {
			question: resolve('var(--role-question)'),
			answer: resolve('var(--role-answer)'),
			other: resolve('var(--role-other)'),
			unknown: resolve('var(--role-other)')
		}
	};
}

/** Below this zoom shapes are specks. */
const shapesFrom = 0.22;
const wordsFrom = 0.45;

interface Drawing {
	readonly map: TreeMap;
	readonly camera: Camera;
	/** Of the canvas, in CSS pixels. */
	readonly width: number;
	readonly height: number;
	readonly colours: MapColours;
	readonly cursor: MapThing | undefined;
}

export function drawMap(context: CanvasRenderingContext2D, drawing: Drawing): void {
	const { map, camera, width, height, colours, cursor } = drawing;
	const ratio = context.canvas.width / Math.max(1, width);
	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	context.clearRect(0, 0, width, height);
	context.translate(camera.x, camera.y);
	context.scale(camera.zoom, camera.zoom);
	const margin = 2 * mapStep.y;
	const [leftEdge, rightEdge] = [-camera.x / camera.zoom - margin, (width - camera.x) / camera.zoom + margin];
	const [top, bottom] = [-camera.y / camera.zoom - margin, (height - camera.y) / camera.zoom + margin];
	const isIn = ({ x, y }: MapThing) => x >= leftEdge && x <= rightEdge && y >= top && y <= bottom;
	const crosses = (thing: MapThing) =>
		thing.parent !== null &&
		thing.y >= top &&
		thing.parent.y <= bottom &&
		Math.max(thing.x, thing.parent.x) >= leftEdge &&
		Math.min(thing.x, thing.parent.x) <= rightEdge;
	for (const isOnPath of [false, true]) {
		const links = map.things.filter((thing) => thing.entry.isOnPath === isOnPath && crosses(thing)).map(linkPath);
		context.strokeStyle = isOnPath ? colours.path : colours.line;
		context.lineWidth = (isOnPath ? 3 : 1.25) / Math.min(1, camera.zoom * 1.6);
		context.stroke(new Path2D(links.join('')));
	}
	const visible = map.things.filter(isIn);
	const hasShapes = camera.zoom >= shapesFrom;
	context.lineWidth = 1.75;
	for (const thing of visible) {
		const { entry, x, y } = thing;
		const role = roleOf(entry.node.type);
		if (!hasShapes) {
			// From afar only what one steers by.
			if (!entry.isOnPath && entry.label === null) continue;
			context.fillStyle = colours.roles[role];
			const side = 3 / camera.zoom;
			context.fillRect(x - side / 2, y - side / 2, side, side);
			continue;
		}
		const shape = new Path2D(shapePath(thing, role));
		context.fillStyle = entry.isOnPath ? colours.roles[role] : colours.paper;
		context.strokeStyle = thing.count > 1 ? colours.line : colours.roles[role];
		context.fill(shape);
		context.stroke(shape);
	}
	if (cursor) {
		context.strokeStyle = colours.path;
		context.lineWidth = 2.5 / Math.min(1, camera.zoom);
		context.beginPath();
		context.arc(cursor.x, cursor.y, 12 / Math.min(1, camera.zoom * 1.3), 0, 2 * Math.PI);
		context.stroke();
	}
	context.textBaseline = 'middle';
	const family = getComputedStyle(context.canvas).fontFamily;
	if (camera.zoom >= wordsFrom) {
		context.textAlign = 'center';
		context.font = `9px ${family}`;
		for (const thing of visible) {
			if (thing.count === 1) continue;
			context.fillStyle = thing.entry.isOnPath ? colours.paper : colours.text;
			context.fillText(String(thing.count), thing.x, thing.y + 0.5);
		}
	}
	// Labels are what one looks for: as large as ever from afar.
	context.textAlign = 'start';
	const words = 12 / Math.min(1, camera.zoom);
	context.font = `600 ${words}px ${family}`;
	for (const { entry, x, y } of visible) {
		if (entry.label === null) continue;
		context.lineWidth = words / 4;
		context.strokeStyle = colours.paper;
		context.fillStyle = colours.text;
		// Between two rows, where only lines pass.
		const [left, middle] = [x + words * 0.7, y - words * 1.1];
		context.strokeText(entry.label, left, middle);
		context.fillText(entry.label, left, middle);
	}
}
