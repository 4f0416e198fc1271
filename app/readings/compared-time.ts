import { formatLongDuration } from './format-duration';
import { formatValue } from './format-value';
import type { HistoryPoints } from './history-points';
import { METRICS } from './metric';

const DAY_MS = 86_400_000;

/** Spans that have a name, by their days. */
const NAMES = [
  { name: 'day', least: 1, most: 1 },
  { name: 'week', least: 7, most: 7 },
  { name: 'month', least: 28, most: 31 },
  { name: 'year', least: 365, most: 366 },
];

/**
 * Says how long before something was: `day before`, or `6 h before`.
 *
 * @param shift in milliseconds; a day may have 23 or 25 hours
 */
export function comparedName(shift: number): string {
  const days =
    Math.abs(shift - Math.round(shift / DAY_MS) * DAY_MS) <= DAY_MS / 12 ? Math.round(shift / DAY_MS) : 0;
  const known = NAMES.find(({ least, most }) => days >= least && days <= most);
  return `${known?.name ?? formatLongDuration(shift)} before`;
}

/**
 * Adds to each point what was measured the time before at its place: `day before: 812 PPM, 120 PPB`.
 *
 * @param stepMs the length of a step: no value is taken from further away
 */
export function comparedNotes(
  history: HistoryPoints,
  before: HistoryPoints,
  { shift, stepMs }: { shift: number; stepMs: number },
): HistoryPoints {
  const name = comparedName(shift);
  let next = 0;
  const points = history.points.map((point, i) => {
    const position = history.positions[i] as number;
    const distanceTo = (index: number) =>
      Math.abs((before.positions[index] ?? Number.POSITIVE_INFINITY) - position);
    while (next + 1 < before.points.length && distanceTo(next + 1) <= distanceTo(next)) next++;
    const found = before.points[next];
    if (!found || distanceTo(next) > stepMs) return point;
    const values = METRICS.flatMap(({ field, unit }) => {
      const summary = found[field];
      return summary ? `${formatValue(summary.average)} ${unit}` : [];
    });
    return { ...point, note: `${name}: ${values.join(', ')}` };
  });
  return { ...history, points };
}
