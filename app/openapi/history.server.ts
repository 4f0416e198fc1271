/** The descriptions of `/api/history`, `/api/summary` and `/api/pattern`. */
import { z } from 'zod';
import type {
  Cell,
  HistoryAnswer,
  LevelAnswer,
  MeasuredAnswer,
  PatternAnswer,
  Quartiles,
  Stretch,
  SummaryAnswer,
} from '../readings/history/history-answer';
import { MAX_STEPS, STEPS } from '../readings/history/history-step';
import { MOST_DAYS_BY_HOUR } from '../readings/history/pattern-span';
import {
  cacheable,
  example,
  IF_NONE_MATCH,
  invalidParameter,
  parameter,
  RAW,
  type RouteDescription,
  SPAN,
  storeFailure,
  unchanged,
} from './operation.server';
import { byMetric, count, schemaOf, time } from './schemas.server';

const inLevels = { good_seconds: count, moderate_seconds: count, poor_seconds: count };

const measured = {
  measured_seconds: count,
  outside_seconds: count.optional().describe('The time outside the comfortable band, if the metric has one.'),
};
const statistics = { lowest: z.number(), average: z.number(), highest: z.number() };

const levelAnswer = schemaOf<LevelAnswer>()(
  'MetricStatistics',
  'The statistics of a metric with thresholds.',
  z.object({ ...statistics, ...inLevels }),
);

const measuredAnswer = schemaOf<MeasuredAnswer>()(
  'MeasuredStatistics',
  'The statistics of a metric without thresholds.',
  z.object({ ...statistics, ...measured }),
);

const historyAnswer = schemaOf<HistoryAnswer>()(
  'History',
  'A span in steps. The first and last step are complete, even if they reach beyond the span.',
  z.object({
    step_seconds: z.int().min(1).describe('The length of a step.'),
    steps: z
      .array(z.object({ start: time, readings: z.int().min(1), ...byMetric(levelAnswer, measuredAnswer) }))
      .describe('Oldest first, without steps that have no readings.'),
    raw_from: time
      .optional()
      .describe(
        'The time before which only five-minute slots are kept (`RAW_DAYS`). Only if the span begins before it; no step is then shorter than a slot.',
      ),
  }),
);

const stretch = schemaOf<Stretch>()(
  'Stretch',
  'An unbroken time at or above a level.',
  z.object({ from: time, seconds: count }),
);

/** Returns the values of a metric's summary, with these schemas for values and times. */
const valuesOf = <Value extends z.ZodType, Time extends z.ZodType>(value: Value, time: Time) => ({
  lowest: value,
  average: value,
  highest: value,
  lowest_at: time,
  highest_at: time,
});
const spanLevels = {
  ...inLevels,
  longest_not_good: z.union([stretch, z.null()]),
  longest_poor: z.union([stretch, z.null()]),
};
const NO_VALUES =
  'A span without a reading that still has time in levels, such as between two hourly readings.';

const levelSummary = z.union([
  z.object({ ...valuesOf(z.number(), time), ...spanLevels }),
  z.object({ ...valuesOf(z.null(), z.null()), ...spanLevels }).describe(NO_VALUES),
]);

const measuredSummary = z.union([
  z.object({ ...valuesOf(z.number(), time), ...measured }),
  z.object({ ...valuesOf(z.null(), z.null()), ...measured }).describe(NO_VALUES),
]);

const summaryAnswer = schemaOf<SummaryAnswer>()(
  'Summary',
  'The statistics for exactly the span.',
  z.object({ readings: count, ...byMetric(levelSummary, measuredSummary) }),
);

const cell = schemaOf<Cell>()(
  'Cell',
  'An hour or a day with readings.',
  z.object({ start: time, ...byMetric(levelAnswer, measuredAnswer) }),
);

const quartiles = schemaOf<Quartiles>()(
  'Quartiles',
  'The averages of an hour of the day over several days.',
  z.object({
    lower: z.number(),
    median: z.number(),
    upper: z.number(),
    days: z.int().min(1).describe('The number of days with readings in this hour.'),
    measured_seconds: count.describe('The total measured time on these days.'),
  }),
);

const patternAnswer = schemaOf<PatternAnswer>()(
  'Pattern',
  'The hours or days of a span, and its typical day.',
  z.object({
    cells: z.array(cell).describe('Oldest first, without cells that have no readings.'),
    typical_day: z
      .array(z.object({ hour: z.int().min(0).max(23), ...byMetric(quartiles) }))
      .describe('From hour 0 to 23; hours without readings are left out.'),
  }),
);

const JANUARY = { sensor: 'Bedroom', from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' };
const ONLY_READING = '2026-01-31T10:00:00.000Z';
const LEVELS = { good_seconds: 300, moderate_seconds: 0, poor_seconds: 0 };
const CO2 = { lowest: 862, average: 862, highest: 862, ...LEVELS };

const failureOf = (table: string) =>
  storeFailure({ query: JANUARY }, `The database can't be used: no such table: ${table}.`);

export const history: RouteDescription = {
  get: {
    id: 'getHistory',
    summary: "Returns a sensor's history in steps.",
    description:
      'Steps are 1 s to a week long. They start at multiples of their length in UTC; daily steps start at midnight in `zone`. `step` sets the length. `points` selects the shortest length with at most that many steps.',
    tag: 'history',
    parameters: [
      ...SPAN,
      parameter(
        'step',
        z.literal(STEPS),
        `The length of a step in seconds. An answer has at most ${MAX_STEPS} steps.`,
      ),
      parameter(
        'points',
        z.int().min(1).max(MAX_STEPS),
        'The maximum number of steps, instead of `step`. By default 700, or the number of weeks if the span has more.',
      ),
      parameter(
        'zone',
        z.string(),
        'The time zone in which daily steps start at midnight, such as `Europe/Berlin`. By default UTC. Has no effect on other steps.',
      ),
      RAW,
      IF_NONE_MATCH,
    ],
    answers: cacheable('The steps that have readings.', historyAnswer),
    examples: [
      example('A month in steps of a day', { query: { ...JANUARY, step: '86400' } }, 200, {
        step_seconds: 86_400,
        steps: [{ start: '2026-01-31T00:00:00.000Z', readings: 1, co2: CO2, voc: null }],
      }),
      unchanged(JANUARY),
      invalidParameter({ ...JANUARY, points: '5000' }, 'points', 'must be a whole number from 1 to 2000'),
      invalidParameter(
        { ...JANUARY, step: '901' },
        'step',
        `must be one of these numbers of seconds: ${STEPS.join(', ')}`,
      ),
      failureOf('roll_ups'),
    ],
  },
};

export const summary: RouteDescription = {
  get: {
    id: 'getSummary',
    summary: 'Returns statistics for exactly a span.',
    description: 'Unlike the steps of `/api/history`, they cover no time outside the span.',
    tag: 'history',
    parameters: [...SPAN, IF_NONE_MATCH],
    answers: cacheable('The statistics.', summaryAnswer),
    examples: [
      example('The numbers of a month', { query: JANUARY }, 200, {
        readings: 1,
        co2: {
          ...CO2,
          ...{ lowest_at: ONLY_READING, highest_at: ONLY_READING },
          ...{ longest_not_good: null, longest_poor: null },
        },
        voc: null,
      }),
      unchanged(JANUARY),
      invalidParameter(
        { from: 'yesterday' },
        'from',
        'must be a time like 2026-11-21T00:00:00Z or 2026-11-21T00:00:00+01:00, not "yesterday"',
      ),
      failureOf('data'),
    ],
  },
};

export const pattern: RouteDescription = {
  get: {
    id: 'getPattern',
    summary: 'Returns the hours or days of a span, and its typical day.',
    description: 'Hours and days follow a time zone. They are complete, even if they reach beyond the span.',
    tag: 'history',
    parameters: [
      ...SPAN,
      parameter('zone', z.string(), 'A time zone such as `Europe/Berlin`. By default UTC.'),
      parameter(
        'by',
        z.enum(['hour', 'day']),
        `Hours are available for at most ${MOST_DAYS_BY_HOUR} days. By default \`hour\`, and \`day\` for longer spans.`,
      ),
      IF_NONE_MATCH,
    ],
    answers: cacheable('The hours or days, and the typical day.', patternAnswer),
    examples: [
      example('A month by days', { query: { ...JANUARY, zone: 'Europe/Berlin', by: 'day' } }, 200, {
        cells: [{ start: '2026-01-30T23:00:00.000Z', co2: CO2, voc: null }],
        typical_day: [
          {
            hour: 11,
            co2: { lower: 862, median: 862, upper: 862, days: 1, measured_seconds: 300 },
            voc: null,
          },
        ],
      }),
      unchanged(JANUARY),
      invalidParameter(
        { ...JANUARY, zone: 'Berlin' },
        'zone',
        'must be a time zone such as Europe/Berlin, not "Berlin"',
      ),
      failureOf('roll_ups'),
    ],
  },
};
