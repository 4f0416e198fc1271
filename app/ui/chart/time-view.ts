import { SHORTEST_MS, type Span } from '../../readings/time/history-span';

/**
 * Zooms a view around a time, which stays in its place unless a limit is in the way.
 *
 * @param factor how many times as long the view becomes
 * @param limits how far the view may reach. One that already reaches beyond them doesn't have to come back.
 */
export function zoomView(view: Span, around: number, factor: number, limits: Span): Span {
  const { from, to } = reachOf(view, limits);
  const before = view.to - view.from;
  const length = Math.round(Math.min(Math.max(before * factor, SHORTEST_MS), to - from));
  return placeView(around - (around - view.from) * (length / before), length, { from, to });
}

/** Moves a view to later times, or with negative milliseconds to earlier ones, as far as its limits let it. */
export function moveView(view: Span, ms: number, limits: Span): Span {
  return placeView(view.from + ms, view.to - view.from, reachOf(view, limits));
}

function reachOf(view: Span, limits: Span): Span {
  return { from: Math.min(view.from, limits.from), to: Math.max(view.to, limits.to) };
}

function placeView(start: number, length: number, reach: Span): Span {
  const from = Math.round(Math.max(reach.from, Math.min(start, reach.to - length)));
  return { from, to: from + length };
}
