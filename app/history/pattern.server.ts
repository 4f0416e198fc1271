import type { Cell, PatternAnswer } from '../readings/history/history-answer';
import { MOST_DAYS_BY_HOUR } from '../readings/history/pattern-span';
import type { Thresholds } from '../readings/level/level';
import type { RollUp } from '../readings/roll-up/roll-up';
import type { ReadingStore } from '../store/reading-store';
import type { Span, SpanAnswer } from './asked-span.server';
import { localHours } from './local-hours.server';
import { localTime } from './local-time.server';
import { metricAnswer } from './metric-answer.server';
import { rollUpMerger } from './roll-up-merger.server';
import { typicalDay } from './typical-day.server';
import { stepReader } from './whole-steps.server';

const HOUR = 3600;
const DAY = 86_400;

/** The longest span by hours, in seconds: one of its days may have 25 hours. */
const LONGEST_BY_HOUR = MOST_DAYS_BY_HOUR * DAY + HOUR;

/** How to divide a span: by the hours or the days of a time zone. */
interface Division {
  zone: string;
  /** Left out, it is hours unless the span is too long for them. */
  by?: 'hour' | 'day';
}

/** Returns the local hours or days that a span touches, and its typical day. Refuses hours of a span that is too long for them. */
export async function computePattern(
  store: Pick<ReadingStore, 'rollUps'>,
  { sensor, from, to }: Span,
  { zone, ...asked }: Division,
  thresholds: Thresholds,
): Promise<SpanAnswer<{ answer: PatternAnswer; end: number }>> {
  const isLong = to - from > LONGEST_BY_HOUR;
  const { by = isLong ? 'day' : 'hour' } = asked;
  if (by === 'hour' && isLong) {
    return {
      ok: false,
      errors: [{ field: 'by', detail: `must be day for a span of more than ${MOST_DAYS_BY_HOUR} days` }],
    };
  }
  if (from === to) return { ok: true, value: { answer: { cells: [], typical_day: [] }, end: to } };
  const local = await localTime(zone, from, to);
  const unitOf = by === 'hour' ? local.hourOf : local.dayOf;
  const end = unitOf(to - 1).to;
  const cells: Cell[] = [];
  const units = rollUpMerger(
    (time) => unitOf(time).from,
    (unit) => cells.push(cellOf(unit)),
  );
  const typical = typicalDay();
  // Where the clocks were set back, an hour of a day comes twice.
  const hours = rollUpMerger((time) => Math.floor(local.localOf(time) / HOUR), typical.add);
  const read = stepReader(store, sensor, thresholds);
  for await (const page of localHours(read, local, unitOf(from).from, end)) {
    for (const hour of page) {
      units.add(hour);
      hours.add(hour);
    }
  }
  units.end();
  hours.end();
  const answer = { cells, typical_day: await typical.end() };
  return { ok: true, value: { answer, end } };
}

function cellOf({ start, co2, voc }: RollUp): Cell {
  return { start: new Date(start * 1000).toISOString(), co2: metricAnswer(co2), voc: metricAnswer(voc) };
}
