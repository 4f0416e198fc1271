/** The smallest distance between the edges of a zoom, in points. */
export const MIN_WIDTH = 2;

/**
 * Tells whether a turn of the wheel zooms. If not, it scrolls the page: nothing can be zoomed out any more, or there
 * are too few points to zoom in.
 *
 * @param last the index of the last point
 */
export function zoomsAtTurn(
  { deltaY }: Pick<WheelEvent, 'deltaY'>,
  isZoomed: boolean,
  last: number,
): boolean {
  return deltaY < 0 ? last > MIN_WIDTH : deltaY > 0 && isZoomed;
}
