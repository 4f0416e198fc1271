import type { CalendarUnit, Span } from '../../../readings/time/history-span';
import { type HistoryPart, partOf, stepOf } from './history-part';

/** How much more is fetched on both sides of a view that moves, as a share of it. */
const MOVING_MARGIN = 0.5;

/** The view that the chart needs data for. */
export interface WantedHistory {
  sensor: string;
  span: Span;
  /** The unit before, with which it is compared; null without comparison. */
  before: CalendarUnit | null;
  /** The most points that the chart draws. */
  points: number;
  /** True while the viewer zooms or moves the chart. */
  isMoving: boolean;
}

/** The steps of a sensor, and the unit before, with which they are compared. */
export interface WantedPart extends HistoryPart {
  sensor: string;
  before: CalendarUnit | null;
}

/** Returns the steps to fetch for a view. */
export function partToFetch({ sensor, span, before, points, isMoving }: WantedHistory): WantedPart {
  return { ...partOf(span, stepOf(span, points), isMoving ? MOVING_MARGIN : 0), sensor, before };
}

/** Returns the time that a part covers, in milliseconds since 1970. */
export function spanOf({ from, to }: HistoryPart): Span {
  return { from: from * 1000, to: to * 1000 };
}
