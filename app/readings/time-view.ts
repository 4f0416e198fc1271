/** The part of a time axis that is in view, in milliseconds since 1970. */
export interface TimeView {
  from: number;
  to: number;
}

/** The shortest view shows single readings. */
export const SHORTEST_VIEW_MS = 10_000;

/**
 * Zooms a view around a time, which stays in its place unless a limit is in the way.
 *
 * @param factor how many times as long the view becomes
 * @param limits how far the view may reach. One that already reaches beyond them doesn't have to come back.
 */
export function zoomView(view: TimeView, around: number, factor: number, limits: TimeView): TimeView {
  const { from, to } = reachOf(view, limits);
  const before = view.to - view.from;
  const length = Math.round(Math.min(Math.max(before * factor, SHORTEST_VIEW_MS), to - from));
  return placeView(around - (around - view.from) * (length / before), length, { from, to });
}

/** Moves a view to later times, or with negative milliseconds to earlier ones, as far as its limits let it. */
export function moveView(view: TimeView, ms: number, limits: TimeView): TimeView {
  return placeView(view.from + ms, view.to - view.from, reachOf(view, limits));
}

/** Returns whether two views are the same. */
export function isSameView(a: TimeView, b: TimeView): boolean {
  return a.from === b.from && a.to === b.to;
}

function reachOf(view: TimeView, limits: TimeView): TimeView {
  return { from: Math.min(view.from, limits.from), to: Math.max(view.to, limits.to) };
}

function placeView(start: number, length: number, reach: TimeView): TimeView {
  const from = Math.round(Math.max(reach.from, Math.min(start, reach.to - length)));
  return { from, to: from + length };
}
