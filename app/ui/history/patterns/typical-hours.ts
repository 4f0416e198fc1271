import { formatAverage, withUnit } from '../../../readings/format/format-value';
import type { PatternAnswer, Quartiles } from '../../../readings/history/history-answer';
import { isSparse, onlyMeasured, usualSeconds } from '../../../readings/history/pattern-cells';
import type { Metric, Threshold } from '../../../readings/metric';

/** Fewer days don't show what is usual. */
export const USUAL_DAYS = 5;

export interface TypicalHour extends Quartiles {
  hour: number;
  /** True if less than half of the usual time was measured in it. */
  isSparse: boolean;
}

/** Returns the hours that a metric has values of, from 0 to 23. */
export function typicalHours({ typical_day }: PatternAnswer, { field }: Metric): TypicalHour[] {
  const hours = typical_day.flatMap(({ hour, [field]: quartiles }) =>
    quartiles ? { hour, ...quartiles } : [],
  );
  const usual = usualSeconds(hours.map(({ measured_seconds }) => measured_seconds));
  return hours.map((hour) => ({ ...hour, isSparse: isSparse(hour.measured_seconds, usual) }));
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

/** Returns the hour with the highest median. Sparse hours and those of fewer than `USUAL_DAYS` don't count. */
export function worstHour(hours: readonly TypicalHour[]): TypicalHour | undefined {
  return hours
    .filter(({ isSparse, days }) => !isSparse && days >= USUAL_DAYS)
    .reduce<TypicalHour | undefined>(
      (worst, hour) => (worst && worst.median >= hour.median ? worst : hour),
      undefined,
    );
}

/** Returns `median 1213 PPM, middle 50 % 1001 to 1340, 7 days`, and how little was measured. */
export function describeHour(hour: TypicalHour, metric: Metric, threshold: Threshold | undefined): string {
  const [lower, median, upper] = [hour.lower, hour.median, hour.upper].map((value) =>
    formatAverage(value, threshold, undefined, metric),
  );
  const days = hour.days === 1 ? '1 day' : `${hour.days} days`;
  const measured = hour.isSparse ? `, ${onlyMeasured(hour.measured_seconds)}` : '';
  return `median ${withUnit(metric, median ?? '')}, middle 50 % ${lower} to ${upper}, ${days}${measured}`;
}

/** Returns the name for the highest values of a metric: only one with levels knows that they are the worst. */
export function worstWord(threshold: Threshold | undefined): string {
  return threshold ? 'worst' : 'highest';
}

export function nameHour(hour: number): string {
  return `${hour}:00–${(hour + 1) % 24}:00`;
}
