import { z } from 'zod';
import { MAX_STEPS } from '../../readings/history/history-step';
import { MOST_DAYS_BY_HOUR } from '../../readings/history/pattern-span';
import { invalidParameter, invalidQuery, noRead, parameter, storeFailure } from '../answers.server';
import type { Answer, Example, Operation, RouteDescription } from '../operation.server';
import { IF_NONE_MATCH, SPAN } from '../parameters.server';
import { historyAnswer, patternAnswer, summaryAnswer } from '../schemas/history.server';

const JANUARY = { sensor: 'Bedroom', from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' };

const CO2 = {
  lowest: 862,
  average: 862,
  highest: 862,
  good_seconds: 300,
  moderate_seconds: 0,
  poor_seconds: 0,
};

const answers = (description: string, schema: z.ZodType): Record<number, Answer> => ({
  200: { description, content: { 'application/json': schema }, headers: ['ETag', 'Airboard-Build'] },
  304: {
    description: 'Nothing has changed since the answer with that `ETag`.',
    headers: ['ETag', 'Airboard-Build'],
  },
  400: invalidQuery,
  503: noRead,
});

const UNCHANGED: Example = {
  title: 'Only if it has changed',
  request: { query: JANUARY, headers: { 'If-None-Match': '*' } },
  status: 304,
  answer: null,
};

const failureOf = (table: string) =>
  storeFailure({ query: JANUARY }, `The database can't be used: no such table: ${table}.`);

const NO_TIME = invalidParameter(
  { from: 'yesterday' },
  'from',
  'must be a time like 2026-11-21T00:00:00Z or 2026-11-21T00:00:00+01:00, not "yesterday"',
);

/** `/api/history`. */
export const history: RouteDescription = {
  get: {
    id: 'getHistory',
    summary: "Returns a sensor's history in steps.",
    description:
      'However many readings a span has, it is answered in steps of 1 s to a week, at multiples of their length in UTC: the shortest that need no more than `points`.',
    tag: 'history',
    parameters: [
      ...SPAN,
      parameter(
        'points',
        z.int().min(1).max(MAX_STEPS),
        'The most steps. Left out, it is 700, or the number of weeks in a span that has more of them.',
      ),
      IF_NONE_MATCH,
    ],
    answers: answers('The steps that have readings.', historyAnswer),
    examples: [
      {
        title: 'A month in steps of a day',
        request: { query: { ...JANUARY, points: '31' } },
        status: 200,
        answer: {
          step_seconds: 86_400,
          steps: [{ start: '2026-01-31T00:00:00.000Z', readings: 1, co2: CO2, voc: null }],
        },
      },
      UNCHANGED,
      invalidParameter({ ...JANUARY, points: '5000' }, 'points', 'must be a whole number from 1 to 2000'),
      failureOf('data'),
    ],
  },
};

/** `/api/summary`. */
export const summary: RouteDescription = {
  get: {
    id: 'getSummary',
    summary: 'Returns the numbers of exactly a span.',
    description: 'Unlike steps, which are whole, they cover only what lies inside the span.',
    tag: 'history',
    parameters: [...SPAN, IF_NONE_MATCH],
    answers: answers('The numbers.', summaryAnswer),
    examples: [
      {
        title: 'The numbers of a month',
        request: { query: JANUARY },
        status: 200,
        answer: {
          readings: 1,
          co2: {
            ...CO2,
            lowest_at: '2026-01-31T10:00:00.000Z',
            highest_at: '2026-01-31T10:00:00.000Z',
            longest_not_good: null,
            longest_poor: null,
          },
          voc: null,
        },
      },
      UNCHANGED,
      NO_TIME,
      failureOf('data'),
    ],
  },
};

const getPattern: Operation = {
  id: 'getPattern',
  summary: 'Returns a span by hours or days, and its typical day.',
  description: 'The hours and days are those of a time zone, whole also where the span cuts them.',
  tag: 'history',
  parameters: [
    ...SPAN,
    parameter('zone', z.string(), 'A time zone such as `Europe/Berlin`. Left out, it is UTC.'),
    parameter(
      'by',
      z.enum(['hour', 'day']),
      `Hours are given for at most ${MOST_DAYS_BY_HOUR} days. Left out, it is \`day\` for longer spans.`,
    ),
    IF_NONE_MATCH,
  ],
  answers: answers('The hours or days, and the typical day.', patternAnswer),
  examples: [
    {
      title: 'A month by days',
      request: { query: { ...JANUARY, zone: 'Europe/Berlin', by: 'day' } },
      status: 200,
      answer: {
        cells: [{ start: '2026-01-30T23:00:00.000Z', co2: CO2, voc: null }],
        typical_day: [
          {
            hour: 11,
            co2: { lower: 862, median: 862, upper: 862, days: 1, measured_seconds: 300 },
            voc: null,
          },
        ],
      },
    },
    UNCHANGED,
    invalidParameter(
      { ...JANUARY, zone: 'Berlin' },
      'zone',
      'must be a time zone such as Europe/Berlin, and is "Berlin"',
    ),
    failureOf('roll_ups'),
  ],
};

/** `/api/pattern`. */
export const pattern: RouteDescription = { get: getPattern };
