// Types that keep ids of different things apart without casts: a plain string fits any flavour, a NodeId never fits a ThreadId.

declare const flavour: unique symbol;

export type Flavour<T, Name extends string> = T & { readonly [flavour]?: Name };
