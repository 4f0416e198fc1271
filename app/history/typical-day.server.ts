import { eventLoopTurns } from '../config/event-loop-turns.server';
import type { PatternAnswer, Quartiles } from '../readings/history/history-answer';
import { quartilesOf } from '../readings/history/quartiles';
import { METRICS, type MetricField } from '../readings/metric';
import { averageOf, type RollUp, roundAverage } from '../readings/roll-up/roll-up';

const HOURS = 24;

const nextTurn = eventLoopTurns();

/** The averages of one hour of the day, one for each day, and how long it was measured on all of them. */
interface HourTotals {
  averages: number[];
  seconds: number;
}

/** Collects the averages that each hour of the day has had. */
export function typicalDay() {
  const days = Array.from(
    { length: HOURS },
    (): Record<MetricField, HourTotals> => ({
      co2: { averages: [], seconds: 0 },
      voc: { averages: [], seconds: 0 },
    }),
  );
  return {
    /** Adds an hour; its `start` is in hours of local time. */
    add({ start, ...metrics }: RollUp): void {
      const hour = ((start % HOURS) + HOURS) % HOURS;
      for (const { field } of METRICS) {
        const totals = metrics[field];
        const ofHour = days[hour]?.[field];
        if (!totals || !ofHour) continue;
        ofHour.averages.push(averageOf(totals));
        const { good, moderate, poor } = totals.seconds;
        ofHour.seconds += good + moderate + poor;
      }
    },
    /** Returns the typical day. Each hour has a turn of the event loop of its own, because it sorts all days. */
    async end(): Promise<PatternAnswer['typical_day']> {
      const hours: PatternAnswer['typical_day'] = [];
      for (const [hour, { co2, voc }] of days.entries()) {
        await nextTurn();
        if (co2.averages.length + voc.averages.length === 0) continue;
        hours.push({ hour, co2: quartilesAnswer(co2), voc: quartilesAnswer(voc) });
      }
      return hours;
    },
  };
}

function quartilesAnswer({ averages, seconds }: HourTotals): Quartiles | null {
  if (averages.length === 0) return null;
  const { lower, median, upper } = quartilesOf(averages);
  return {
    lower: roundAverage(lower),
    median: roundAverage(median),
    upper: roundAverage(upper),
    days: averages.length,
    measured_seconds: seconds,
  };
}
