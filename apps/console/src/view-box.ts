export interface ViewBox {
  /** The left upper corner, in the drawing's own pixels. */
  readonly x: number;
  readonly y: number;
  /** Pixels of the screen for one pixel of the drawing. */
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

const SCALE_MIN = 0.005;
const SCALE_MAX = 2;
const MARGIN = 24;

const bounded = (scale: number): number => Math.min(SCALE_MAX, Math.max(SCALE_MIN, scale));

export const fitted = (drawing: Size, screen: Size): ViewBox => {
  const room = { width: screen.width - 2 * MARGIN, height: screen.height - 2 * MARGIN };
  const scale = bounded(
    Math.min(1, room.width / Math.max(1, drawing.width), room.height / Math.max(1, drawing.height)),
  );
  return {
    x: (drawing.width - screen.width / scale) / 2,
    y: (drawing.height - screen.height / scale) / 2,
    scale,
  };
};

/** The point `at` of the screen does not move. */
export const zoomed = (
  view: ViewBox,
  factor: number,
  at: { readonly x: number; readonly y: number },
): ViewBox => {
  const scale = bounded(view.scale * factor);
  return {
    x: view.x + at.x / view.scale - at.x / scale,
    y: view.y + at.y / view.scale - at.y / scale,
    scale,
  };
};

export const moved = (view: ViewBox, byX: number, byY: number): ViewBox => ({
  ...view,
  x: view.x - byX / view.scale,
  y: view.y - byY / view.scale,
});

export const centredOn = (
  view: ViewBox,
  { x, y }: { readonly x: number; readonly y: number },
  screen: Size,
): ViewBox => {
  const scale = Math.max(view.scale, 0.6);
  return { x: x - screen.width / scale / 2, y: y - screen.height / scale / 2, scale };
};
