import type { PatternAnswer, Quartiles } from '../readings/history-answer';
import { METRICS, type MetricField } from '../readings/metric';
import { quartilesOf } from '../readings/quartiles';
import { averageOf, type RollUp } from '../readings/roll-up';
import { roundAverage } from './metric-answer.server';

const HOURS = 24;

/** Collects the averages that each hour of the day has had. */
export function typicalDay() {
  const days = Array.from({ length: HOURS }, (): Record<MetricField, number[]> => ({ co2: [], voc: [] }));
  return {
    /** Adds an hour; its `start` is in hours of local time. */
    add({ start, ...metrics }: RollUp): void {
      const hour = ((start % HOURS) + HOURS) % HOURS;
      for (const { field } of METRICS) {
        const totals = metrics[field];
        if (totals) days[hour]?.[field].push(averageOf(totals));
      }
    },
    end(): PatternAnswer['typical_day'] {
      return days
        .map(({ co2, voc }, hour) => ({ hour, co2: quartilesAnswer(co2), voc: quartilesAnswer(voc) }))
        .filter(({ co2, voc }) => co2 || voc);
    },
  };
}

function quartilesAnswer(averages: readonly number[]): Quartiles | null {
  if (averages.length === 0) return null;
  const { lower, median, upper } = quartilesOf(averages);
  return {
    lower: roundAverage(lower),
    median: roundAverage(median),
    upper: roundAverage(upper),
    days: averages.length,
  };
}
