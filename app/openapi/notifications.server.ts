/** The descriptions of `/api/air`, `/api/notifications` and the webhook. */
import { z } from 'zod';
import type { AlertEvent, EventKind } from '../providers/alert-event';
import type {
  AddressReport,
  AirAnswer,
  AirReport,
  MessageReport,
  SensorReport,
  TestAnswer,
  TransitionReport,
} from '../readings/air/air-report';
import {
  type Answer,
  type Example,
  error,
  example,
  failure,
  invalidParameter,
  invalidQuery,
  json,
  noParameters,
  noStore,
  parameter,
  REFUSALS,
  type RouteDescription,
  refused,
  SENSOR,
  SENSOR_PAGE,
} from './operation.server';
import { count, forMetrics, schemaOf, sensorName, time, values } from './schemas.server';

const text = (description: string) => z.string().describe(description);
const state = z.enum(['good', 'moderate', 'poor', 'silent']);
const milliseconds = z.number().min(0);
const eventId = text('The id of the event, as in the header `webhook-id`.');

const sensorReport = schemaOf<SensorReport>()(
  'SensorState',
  "A sensor's state.",
  z.object({
    sensor: sensorName,
    state,
    since: time,
    pending: z
      .array(z.object({ to: state, since: time, at: time }))
      .describe('The states that will follow if the readings stay as they are, with their times.'),
    newest: time.describe('The time of the newest reading.'),
    ...values,
  }),
);

const attempt = z.object({
  at: time,
  outcome: z.enum(['delivered', 'failed', 'retry']),
  answer: z.string(),
});

const deliveries = z.array(
  z.object({
    id: eventId,
    address: z
      .string()
      .nullable()
      .describe('The address with its secrets hidden; null if it is no longer set.'),
    state: z
      .enum(['pending', 'delivered', 'failed', 'replaced'])
      .describe('`replaced`: a newer message about the sensor, or a summary, was sent instead.'),
    attempts: z.array(attempt).describe('The newest 20, oldest first.'),
  }),
);

const transition = schemaOf<TransitionReport>()(
  'Transition',
  "A change of a sensor's state, with its deliveries.",
  z.object({
    sensor: sensorName,
    at: time,
    from: state,
    to: state,
    since: time,
    ...values,
    untold: z
      .enum(['not-chosen', 'over', 'over-in-quiet', 'quiet', 'not-yet', 'before'])
      .nullable()
      .describe(
        'The reason why nothing was sent. `not-chosen`: neither state is in `NOTIFY_ON`. `over`: the new state had ended before it was known. `over-in-quiet`: it ended during quiet hours. `quiet`: the message waits for the end of quiet hours. `not-yet`: the message waits for more readings. `before`: the sensor was already in this state when first seen. Null if something was sent.',
      ),
    deliveries,
  }),
);

const message = schemaOf<MessageReport>()(
  'Message',
  'A message without a transition: a reminder, a notice about a room, or a summary of many sensors.',
  z.object({
    id: eventId,
    title: z.string(),
    at: time.describe("The server's time when it created the message."),
    kind: z.enum(['entered', 'ended', 'reminder', 'aired', 'sensor', 'summary']),
    sensor: sensorName,
    state,
    ...values,
    deliveries,
  }),
);

const address = schemaOf<AddressReport>()(
  'Address',
  'An address and its recent deliveries, taken from the reported transitions and messages.',
  z.object({
    address: text('The address with its secrets hidden.'),
    last: attempt.nullable().describe('The newest attempt.'),
    failingSince: time
      .nullable()
      .describe('The time since which attempts have failed; null unless the newest one failed.'),
    nextAttempt: time
      .nullable()
      .describe('The time of the next attempt; null if nothing is pending or another server sends.'),
  }),
);

const airReport = schemaOf<AirReport>()(
  'NotificationReport',
  'The state of every sensor, and the notifications that were sent. Durations are in milliseconds.',
  z.object({
    now: time.describe("The server's clock."),
    settings: z.object({
      afterMs: milliseconds.describe('`NOTIFY_AFTER`.'),
      silentAfterMs: milliseconds
        .nullable()
        .describe('`SILENT_AFTER`; null if it is learnt for each sensor.'),
      on: z.array(z.enum([...state.options, 'aired', 'sensor'])).describe('`NOTIFY_ON`.'),
      quiet: z
        .object({ from: z.string(), to: z.string() })
        .nullable()
        .describe('`NOTIFY_QUIET`, as times of day; null for no quiet hours.'),
      timeZone: text('`NOTIFY_TIME_ZONE`.'),
      againMs: milliseconds.nullable().describe('`NOTIFY_AGAIN`; null for no reminders.'),
    }),
    sensors: z.array(sensorReport).describe('A page of the sensors by name, worst air first.'),
    sensorCount: count.describe('The number of sensors.'),
    addresses: z.array(address).describe('In the order of `NOTIFY_URLS`.'),
    transitions: z.array(transition).max(50).describe('Newest first, at most 50.'),
    messages: z.array(message).max(50).describe('Newest first, at most 50.'),
  }),
);

/** The body of a webhook. */
export const webhookEvent = schemaOf<{ type: `air.${EventKind}`; timestamp: string; data: AlertEvent }>()(
  'WebhookEvent',
  'The body of a webhook.',
  z.object({
    type: z
      .enum([
        'air.entered',
        'air.ended',
        'air.reminder',
        'air.aired',
        'air.sensor',
        'air.summary',
        'air.test',
      ])
      .describe('`air.` and the kind.'),
    timestamp: time.describe('The same as `at`.'),
    data: z.object({
      id: text(
        'The same for each attempt and address, as in the header `webhook-id`. Each address gets its own summaries.',
      ),
      kind: z
        .enum(['entered', 'ended', 'reminder', 'aired', 'sensor', 'summary', 'test'])
        .describe(
          '`entered`: the state began. `ended`: the notified state is over, and `state` is not in `NOTIFY_ON`. `reminder`: the state still holds. `aired`: the window can be closed. `sensor`: the sensor can’t be believed. `summary`: many sensors have something to notify; `title` contains their number, and `text` names a few. `test`: a person sent a test.',
        ),
      sensor: sensorName.describe("The sensor's name; empty for the unnamed one, and in a summary."),
      state: state.describe(
        'The state; in a summary, the worst one. After a silence, the level before the silence.',
      ),
      before: state.describe(
        'The previous state, even if it was not notified. States that began and ended in quiet hours are left out. In a reminder, a summary, `aired` and `sensor`, the same as `state`.',
      ),
      at: time.describe(
        "The start of the state, by the sensor's clock. In a reminder, a summary, `aired` and `sensor`, the server's time.",
      ),
      since: time.describe(
        'The time of the first reading above the threshold, or below 95 % of it again. For a silence, the time of the last reading. In `aired`, the start of the airing. In a summary and `sensor`, the same as `at`.',
      ),
      ...forMetrics(({ name, unit }) =>
        z
          .number()
          .nullable()
          .describe(`${name} in \`text\`${unit && `, in ${unit}`}, or null.`),
      ),
      title: text('The notification in one line.'),
      text: text('The notification in a sentence.'),
      url: z
        .string()
        .nullable()
        .describe(
          'A link to the span on `/history`, or to `/notifications` in a summary; null without `PUBLIC_URL`.',
        ),
    }),
  }),
);

const testAnswer = schemaOf<TestAnswer>()(
  'TestAnswer',
  'The answer of one address to a test.',
  z.object({
    address: text('The address with its secrets hidden.'),
    isDelivered: z.boolean(),
    answer: text('The answer from the address, or the error.'),
  }),
);

const SET_UP = { NOTIFY_URLS: 'ntfy://127.0.0.1:65000/air-4711', NOTIFY_TIME_ZONE: 'UTC' };
const WITH_A_KEY = { ...SET_UP, WRITE_KEY: 'correct-horse-battery' };
const HIDDEN_ADDRESS = 'ntfy://127.0.0.1:65000/…';

const ERRORS: Record<number, Answer> = {
  400: invalidQuery,
  ...REFUSALS,
  404: error("Notifications aren't set up."),
};

const REFUSED: Example[] = [
  ...refused(undefined, WITH_A_KEY, SET_UP),
  failure(
    'Without `NOTIFY_URLS`',
    {},
    404,
    "Notifications aren't set up: the setting NOTIFY_URLS is missing.",
  ),
];

export const notifications: RouteDescription = {
  get: {
    id: 'getNotifications',
    summary: 'Returns the state of every sensor, and the notifications that were sent.',
    description:
      'The content of `/notifications` as JSON. A report of more sensors than `limit` comes in pages, in the order of their names.',
    tag: 'notifications',
    needsKey: true,
    parameters: SENSOR_PAGE,
    answers: {
      200: json('The report.', airReport, 'Link'),
      ...ERRORS,
      429: error('Too many wrong keys.', 'Retry-After'),
      503: noStore,
    },
    examples: [
      example(
        'The report of a server without readings',
        {},
        200,
        {
          now: '2026-11-22T10:00:00.000Z',
          settings: {
            afterMs: 300_000,
            silentAfterMs: null,
            on: ['poor', 'silent'],
            quiet: null,
            timeZone: 'UTC',
            againMs: null,
          },
          sensors: [],
          sensorCount: 0,
          addresses: [{ address: HIDDEN_ADDRESS, last: null, failingSince: null, nextAttempt: null }],
          transitions: [],
          messages: [],
        },
        { settings: SET_UP },
      ),
      invalidParameter({ limit: '0' }, 'limit', 'must be a whole number from 1 to 5000'),
      ...REFUSED,
      failure(
        'After several wrong keys',
        { headers: { Authorization: 'Bearer a-guess' } },
        429,
        "The write key is wrong, as were others from this address. Send the server's WRITE_KEY, or wait 1 s before another guess.",
        { settings: WITH_A_KEY, isRepeated: true },
      ),
    ],
  },
  post: {
    id: 'sendTest',
    summary: 'Sends a test to every address.',
    description: 'Returns the answer from each address. Allows one test in 10 s.',
    tag: 'notifications',
    needsKey: true,
    answers: {
      200: json('The answers of the addresses.', z.array(testAnswer)),
      ...ERRORS,
      429: error(
        'A test was sent just now, too many requests came in a minute, or too many wrong keys.',
        'Retry-After',
      ),
    },
    examples: [
      example(
        'An address without a listener',
        {},
        200,
        [{ address: HIDDEN_ADDRESS, isDelivered: false, answer: 'connect ECONNREFUSED 127.0.0.1:65000' }],
        { settings: SET_UP },
      ),
      failure(
        'A second test right after it',
        {},
        429,
        'A test was sent just now. The next one can be sent in 10 s.',
        { settings: SET_UP },
      ),
      noParameters('limit', '10'),
      ...REFUSED,
    ],
  },
};

const airAnswer = schemaOf<AirAnswer>()(
  'AirState',
  "The state of a sensor's air for notifications.",
  z.object({
    sensor: sensorName,
    state: state
      .nullable()
      .describe('One of `NOTIFY_ON`, or `good`. Null while more readings may still decide otherwise.'),
    notification: z
      .object({ title: z.string(), text: z.string() })
      .nullable()
      .optional()
      .describe(
        'Only with `sensor`: the notification for the change from the state `before`; null to show nothing.',
      ),
  }),
);

export const air: RouteDescription = {
  get: {
    id: 'getAir',
    summary: 'Lists the sensors whose air is not good.',
    description:
      'Uses the rules of notifications, even without `NOTIFY_URLS`. With `sensor`, returns that sensor, and the notification ' +
      'for a person who was last notified of the state `before`. Browsers show this notification. At most `MAX_SENSORS` ' +
      'sensors are judged.',
    tag: 'notifications',
    parameters: [
      SENSOR,
      ...SENSOR_PAGE,
      parameter('before', state, 'The last notified state. By default `good`.'),
      parameter('zone', z.string(), 'The time zone for times in texts. By default UTC.'),
    ],
    answers: {
      200: json(
        'The sensors whose state is not good, ordered by name, or the requested one; an empty array for an unknown sensor.',
        z.array(airAnswer),
        'Link',
      ),
      400: invalidQuery,
    },
    examples: [
      example('Where all air is good', {}, 200, []),
      example(
        'A sensor, for a person who knows that its air is good',
        { query: { sensor: '', before: 'good', zone: 'Europe/Berlin' } },
        200,
        [{ sensor: '', state: 'good', notification: null }],
      ),
      invalidParameter({ before: 'bad' }, 'before', 'must be good, moderate, poor or silent'),
    ],
  },
};
