// Moves a drawing under the hand: drag, wheel, pinch, keys, and the buttons' ways. Tells a tap and a long press from a drag.
// Owns where the drawing is and nothing of what it shows. SPEC.md OUTL-07.

export interface Camera {
	/** Where the drawing's origin is, in CSS pixels of the view. */
	readonly x: number;
	readonly y: number;
	readonly zoom: number;
}

export interface Box {
	readonly left: number;
	readonly top: number;
	readonly width: number;
	readonly height: number;
}

interface Callbacks {
	/** Points in the drawing. */
	readonly ontap: (x: number, y: number) => void;
	/** A mouse that rests, or a finger that stays; null: it left. */
	readonly onpoint: (point: { readonly x: number; readonly y: number } | null) => void;
}

const zoomLimits = { least: 0.004, most: 3 } as const;
/** A pointer that moved less is a tap, in CSS pixels. */
const tapTolerance = 8;
const longPressMs = 450;
const keyStep = 60;
/** Around what is fitted into the view. */
const margin = 40;

export class PanZoom {
	#camera = $state.raw<Camera>({ x: 0, y: 0, zoom: 1 });
	#width = $state.raw(0);
	#height = $state.raw(0);
	readonly #callbacks: Callbacks;

	constructor(callbacks: Callbacks) {
		this.#callbacks = callbacks;
	}

	get camera(): Camera {
		return this.#camera;
	}

	/** Of the view, in CSS pixels; 0 until it was measured. */
	get width(): number {
		return this.#width;
	}

	get height(): number {
		return this.#height;
	}

	/** Shows all of a box, at `mostZoom` at most. */
	fit({ left, top, width, height }: Box, mostZoom: number): void {
		const zoom = clampZoom(
			Math.min(mostZoom, (this.#width - 2 * margin) / Math.max(1, width), (this.#height - 2 * margin) / Math.max(1, height))
		);
		this.#camera = {
			zoom,
			x: this.#width / 2 - (left + width / 2) * zoom,
			y: height * zoom < this.#height - 2 * margin ? margin - top * zoom : this.#height / 2 - (top + height / 2) * zoom
		};
	}

	centre(x: number, y: number, zoom = this.#camera.zoom): void {
		this.#camera = { zoom, x: this.#width / 2 - x * zoom, y: this.#height / 2 - y * zoom };
	}

	/** Around the middle of the view, or a point of it. */
	zoomBy(factor: number, atX = this.#width / 2, atY = this.#height / 2): void {
		const { x, y, zoom } = this.#camera;
		const next = clampZoom(zoom * factor);
		this.#camera = { zoom: next, x: atX - ((atX - x) * next) / zoom, y: atY - ((atY - y) * next) / zoom };
	}

	panBy(byX: number, byY: number): void {
		const { x, y, zoom } = this.#camera;
		this.#camera = { x: x + byX, y: y + byY, zoom };
	}

	/** True when the key moved the drawing. */
	key(key: string): boolean {
		switch (key) {
			case '+':
			case '=':
				this.zoomBy(1.3);
				return true;
			case '-':
				this.zoomBy(1 / 1.3);
				return true;
			case 'ArrowLeft':
				this.panBy(keyStep, 0);
				return true;
			case 'ArrowRight':
				this.panBy(-keyStep, 0);
				return true;
			case 'ArrowUp':
				this.panBy(0, keyStep);
				return true;
			case 'ArrowDown':
				this.panBy(0, -keyStep);
				return true;
			default:
				return false;
		}
	}

	/** For `{@attach}` on the view. */
	readonly attach = (element: HTMLElement) => {
		/** The pointers that are down. */
		let down: readonly { readonly id: number; readonly x: number; readonly y: number }[] = [];
		let start: { readonly x: number; readonly y: number } | null = null;
		let hasMoved = false;
		let wasLong = false;
		let timer: ReturnType<typeof setTimeout> | undefined;
		const placeOf = (event: MouseEvent) => {
			const { left, top } = element.getBoundingClientRect();
			return { x: event.clientX - left, y: event.clientY - top };
		};
		const inDrawing = ({ x, y }: { readonly x: number; readonly y: number }) => ({
			x: (x - this.#camera.x) / this.#camera.zoom,
			y: (y - this.#camera.y) / this.#camera.zoom
		});
		const spread = () => {
			const [a, b] = down;
			return a && b ? { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, distance: Math.hypot(a.x - b.x, a.y - b.y) } : null;
		};
		const listeners = new AbortController();
		const on = <K extends keyof HTMLElementEventMap>(type: K, listener: (event: HTMLElementEventMap[K]) => void, passive = true) =>
			element.addEventListener(type, listener, { signal: listeners.signal, passive });

		on('pointerdown', (event) => {
			if (event.button !== 0) return;
			const place = placeOf(event);
			down = [...down.filter(({ id }) => id !== event.pointerId), { id: event.pointerId, ...place }];
			hasMoved = down.length > 1;
			wasLong = false;
			start = place;
			clearTimeout(timer);
			if (event.pointerType !== 'mouse' && down.length === 1) {
				timer = setTimeout(() => {
					if (hasMoved) return;
					wasLong = true;
					this.#callbacks.onpoint(inDrawing(place));
				}, longPressMs);
			}
		});
		on('pointermove', (event) => {
			const place = placeOf(event);
			const last = down.find(({ id }) => id === event.pointerId);
			if (!last) {
				if (event.pointerType === 'mouse') this.#callbacks.onpoint(inDrawing(place));
				return;
			}
			if (!hasMoved && start && Math.hypot(place.x - start.x, place.y - start.y) < tapTolerance) return;
			if (!hasMoved) {
				hasMoved = true;
				// From here on the drag goes on outside too; earlier, it would take clicks from what lies in the view.
				element.setPointerCapture(event.pointerId);
				this.#callbacks.onpoint(null);
			}
			const before = spread();
			down = down.map((each) => (each.id === event.pointerId ? { id: each.id, ...place } : each));
			const after = spread();
			if (before && after) {
				this.panBy(after.x - before.x, after.y - before.y);
				if (before.distance > 0) this.zoomBy(after.distance / before.distance, after.x, after.y);
			} else this.panBy(place.x - last.x, place.y - last.y);
		});
		const onUp = (event: PointerEvent, isTap: boolean) => {
			if (!down.some(({ id }) => id === event.pointerId)) return;
			down = down.filter(({ id }) => id !== event.pointerId);
			clearTimeout(timer);
			if (isTap && !hasMoved && !wasLong) {
				const { x, y } = inDrawing(placeOf(event));
				this.#callbacks.ontap(x, y);
			}
			if (wasLong) this.#callbacks.onpoint(null);
		};
		on('pointerup', (event) => onUp(event, true));
		on('pointercancel', (event) => onUp(event, false));
		on('pointerleave', (event) => event.pointerType === 'mouse' && this.#callbacks.onpoint(null));
		on(
			'wheel',
			(event) => {
				event.preventDefault();
				const { x, y } = placeOf(event);
				const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1);
				// A pinch on a touch pad comes as small steps with Ctrl.
				this.zoomBy(Math.exp(-pixels * (event.ctrlKey ? 0.01 : 0.0015)), x, y);
			},
			false
		);
		const observer = new ResizeObserver(() => {
			this.#width = element.clientWidth;
			this.#height = element.clientHeight;
		});
		observer.observe(element);
		this.#width = element.clientWidth;
		this.#height = element.clientHeight;
		return () => {
			listeners.abort();
			observer.disconnect();
			clearTimeout(timer);
		};
	};
}

function clampZoom(zoom: number): number {
	return Math.min(zoomLimits.most, Math.max(zoomLimits.least, zoom));
}
