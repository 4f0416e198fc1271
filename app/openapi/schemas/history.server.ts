import { z } from 'zod';
import type {
  Cell,
  HistoryAnswer,
  MetricAnswer,
  PatternAnswer,
  Quartiles,
  Stretch,
  SummaryAnswer,
} from '../../readings/history/history-answer';
import { byMetric, schemaOf, time } from './schema.server';

const seconds = z.int().min(0);
const inLevels = { good_seconds: seconds, moderate_seconds: seconds, poor_seconds: seconds };

export const metricAnswer = schemaOf<MetricAnswer>()(
  'MetricStatistics',
  'One metric over some time.',
  z.object({ lowest: z.number(), average: z.number(), highest: z.number(), ...inLevels }),
);

export const historyAnswer = schemaOf<HistoryAnswer>()(
  'History',
  'A span in steps. The first and the last one are whole, also where the span cuts them.',
  z.object({
    step_seconds: z.int().min(1).describe('The length of a step.'),
    steps: z
      .array(z.object({ start: time, readings: z.int().min(1), ...byMetric(metricAnswer) }))
      .describe('Oldest first, only those with readings.'),
  }),
);

const stretch = schemaOf<Stretch>()(
  'Stretch',
  'A time without a break at a level or a worse one.',
  z.object({ from: time, seconds }),
);

const longest = {
  longest_not_good: z.union([stretch, z.null()]),
  longest_poor: z.union([stretch, z.null()]),
};

const summarized = z.union([
  z.object({
    lowest: z.number(),
    average: z.number(),
    highest: z.number(),
    lowest_at: time,
    highest_at: time,
    ...inLevels,
    ...longest,
  }),
  z
    .object({
      lowest: z.null(),
      average: z.null(),
      highest: z.null(),
      lowest_at: z.null(),
      highest_at: z.null(),
      ...inLevels,
      ...longest,
    })
    .describe('Time in a level without a reading: between two readings of an hourly sensor.'),
]);

export const summaryAnswer = schemaOf<SummaryAnswer>()(
  'Summary',
  'The numbers of exactly the span.',
  z.object({ readings: z.int().min(0), ...byMetric(summarized) }),
);

const cell = schemaOf<Cell>()(
  'Cell',
  'An hour or a day with readings.',
  z.object({ start: time, ...byMetric(metricAnswer) }),
);

const quartiles = schemaOf<Quartiles>()(
  'Quartiles',
  'The averages that an hour of the day has had.',
  z.object({
    lower: z.number(),
    median: z.number(),
    upper: z.number(),
    days: z.int().min(1).describe('How many days had readings in it.'),
    measured_seconds: seconds.describe('How long it was measured, on all of these days together.'),
  }),
);

export const patternAnswer = schemaOf<PatternAnswer>()(
  'Pattern',
  'The hours or days of a span, and its typical day.',
  z.object({
    cells: z.array(cell).describe('Oldest first, only those with readings.'),
    typical_day: z
      .array(z.object({ hour: z.int().min(0).max(23), ...byMetric(quartiles) }))
      .describe('From hour 0 to 23; hours without readings are left out.'),
  }),
);
