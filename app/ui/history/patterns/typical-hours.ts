import { counted } from '../../../readings/format/counted.js';
import { formatAverage, withUnit } from '../../../readings/format/format-value';
import type { PatternAnswer, Quartiles } from '../../../readings/history/history-answer';
import { isSparse, onlyMeasured, usualSeconds } from '../../../readings/history/pattern-cells';
import type { Metric, Threshold } from '../../../readings/metric';

/** With fewer days, an hour's median isn't called usual. */
export const USUAL_DAYS = 5;

export interface TypicalHour extends Quartiles {
  hour: number;
  /** True if less than half of the usual time was measured in this hour. */
  isSparse: boolean;
}

/** Returns the hours in which a metric has values, from 0 to 23. */
export function typicalHours({ typical_day }: PatternAnswer, { field }: Metric): TypicalHour[] {
  const hours = typical_day.flatMap(({ hour, [field]: quartiles }) =>
    quartiles ? { hour, ...quartiles } : [],
  );
  const usual = usualSeconds(hours.map(({ measured_seconds }) => measured_seconds));
  return hours.map((hour) => ({ ...hour, isSparse: isSparse(hour.measured_seconds, usual) }));
}

/** Splits hours into runs at missing hours, which no line may bridge. */
export function unbroken(hours: readonly TypicalHour[]): TypicalHour[][] {
  const runs: TypicalHour[][] = [];
  for (const hour of hours) {
    const run = runs.at(-1);
    if (run && run.at(-1)?.hour === hour.hour - 1) run.push(hour);
    else runs.push([hour]);
  }
  return runs;
}

/** Returns the hour with the highest median. Ignores sparse hours and hours with fewer than `USUAL_DAYS` days. */
export function worstHour(hours: readonly TypicalHour[]): TypicalHour | undefined {
  return hours
    .filter(({ isSparse, days }) => !isSparse && days >= USUAL_DAYS)
    .reduce<TypicalHour | undefined>(
      (worst, hour) => (worst && worst.median >= hour.median ? worst : hour),
      undefined,
    );
}

/** Describes an hour: `median 1213 PPM, middle 50 % 1001 to 1340, 7 days`, and the measured time if short. */
export function describeHour(hour: TypicalHour, metric: Metric, threshold: Threshold | undefined): string {
  const [lower, median, upper] = [hour.lower, hour.median, hour.upper].map((value) =>
    formatAverage(value, threshold, undefined, metric),
  );
  const days = counted(hour.days, 'day');
  const measured = hour.isSparse ? `, ${onlyMeasured(hour.measured_seconds)}` : '';
  return `median ${withUnit(metric, median ?? '')}, middle 50 % ${lower} to ${upper}, ${days}${measured}`;
}

/** Returns `worst`, or `highest` for a metric without levels, whose high values aren't necessarily bad. */
export function worstWord(threshold: Threshold | undefined): string {
  return threshold ? 'worst' : 'highest';
}

export function nameHour(hour: number): string {
  return `${hour}:00–${(hour + 1) % 24}:00`;
}
