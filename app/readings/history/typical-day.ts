import { formatAverage } from '../format/format-value';
import type { Threshold } from '../level/threshold';
import type { Metric } from '../metric';
import type { PatternAnswer, Quartiles } from './history-answer';

/** The averages that an hour of the day has had. */
export interface TypicalHour extends Quartiles {
  hour: number;
}

/** Returns the hours that a metric has values of, from 0 to 23. */
export function typicalHours({ typical_day }: PatternAnswer, { field }: Metric): TypicalHour[] {
  return typical_day.flatMap(({ hour, [field]: quartiles }) => (quartiles ? { hour, ...quartiles } : []));
}

/** Divides hours where one or more are missing between them: no line may join these. */
export function unbroken(hours: readonly TypicalHour[]): TypicalHour[][] {
  const runs: TypicalHour[][] = [];
  for (const hour of hours) {
    const run = runs.at(-1);
    if (run && run.at(-1)?.hour === hour.hour - 1) run.push(hour);
    else runs.push([hour]);
  }
  return runs;
}

/** Returns the hour with the highest median, the first of several; undefined if there is none. */
export function worstHour(hours: readonly TypicalHour[]): TypicalHour | undefined {
  return hours.reduce<TypicalHour | undefined>(
    (worst, hour) => (worst && worst.median >= hour.median ? worst : hour),
    undefined,
  );
}

/** Says what an hour has been like: `median 1213 PPM, middle half 1001 to 1340, 7 days`. */
export function describeHour(hour: TypicalHour, { unit }: Metric, threshold: Threshold): string {
  const [lower, median, upper] = [hour.lower, hour.median, hour.upper].map((value) =>
    formatAverage(value, threshold),
  );
  const days = hour.days === 1 ? '1 day' : `${hour.days} days`;
  return `median ${median} ${unit}, middle half ${lower} to ${upper}, ${days}`;
}

/** Names an hour of the day: `18:00–19:00`. */
export function nameHour(hour: number): string {
  return `${hour}:00–${(hour + 1) % 24}:00`;
}
