/** Each wheel event on the dashboard's chart shows a twentieth less or more, whatever its size. */
export const WHEEL_SPEED = 0.05;

/** The zoom per pixel of wheel movement on `/history`. A notch of 100 pixels shows a quarter less, or a third more. */
export const HISTORY_WHEEL_SPEED = 0.003;

/** Pinching on a touchpad sends small wheel events with `ctrlKey`, which zoom `/history` faster. */
export const PINCH_FACTOR = 5;
