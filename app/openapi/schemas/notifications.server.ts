import { z } from 'zod';
import type {
  AddressReport,
  AirReport,
  MessageReport,
  SensorReport,
  TestAnswer,
  TransitionReport,
} from '../../readings/air/air-report';
import { MAX_SENSORS } from '../../readings/heard-sensors';
import { schemaOf, sensorName, time } from './schema.server';

const state = z.enum(['good', 'moderate', 'poor', 'silent']);
const values = { co2: z.number().nullable(), voc: z.number().nullable() };
const milliseconds = z.number().min(0);

const sensorReport = schemaOf<SensorReport>()(
  'SensorState',
  'How a sensor stands.',
  z.object({
    sensor: sensorName,
    state,
    since: time,
    pending: z
      .array(z.object({ to: state, since: time, at: time }))
      .describe('The states that it changes to, and when, if its readings go on as they are.'),
    newest: time.describe('The time of its newest reading.'),
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
    id: z.string().describe('The id of the event, as in the header `webhook-id`.'),
    address: z.string().nullable().describe('With its secrets hidden; null if it is no longer set.'),
    state: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.array(attempt).describe('The newest 20, oldest first.'),
  }),
);

const transition = schemaOf<TransitionReport>()(
  'Transition',
  "A change of a sensor's state, and what was sent about it.",
  z.object({
    sensor: sensorName,
    at: time,
    from: state,
    to: state,
    since: time,
    ...values,
    isWithdrawn: z.boolean().describe('True if readings that came late have shown it to be none.'),
    untold: z
      .enum(['not-chosen', 'over', 'over-in-quiet', 'quiet', 'not-yet', 'before'])
      .nullable()
      .describe(
        "Why nothing was sent: its states aren't in `NOTIFY_ON`; it was over when it became known, or in quiet hours; it waits for their end, or for readings that decide it; it was so when the sensor was first seen. Null if something was sent.",
      ),
    deliveries,
  }),
);

const message = schemaOf<MessageReport>()(
  'Message',
  'What no single change has caused: a reminder, or what was so after readings had come late.',
  z.object({
    id: z.string().describe('The id of the event, as in the header `webhook-id`.'),
    title: z.string(),
    at: time.describe("When it was made, by the server's clock."),
    kind: z.enum(['entered', 'ended', 'reminder']),
    sensor: sensorName,
    state,
    ...values,
    deliveries,
  }),
);

const address = schemaOf<AddressReport>()(
  'Address',
  'How it goes with an address, as far as the reported changes and messages say.',
  z.object({
    address: z.string().describe('With its secrets hidden.'),
    last: attempt.nullable().describe('The newest attempt.'),
    failingSince: time.nullable().describe('Null unless the newest attempt failed.'),
    nextAttempt: time.nullable().describe('Null if nothing waits, or another server sends.'),
  }),
);

export const airReport = schemaOf<AirReport>()(
  'NotificationReport',
  'How every sensor stands, and what was sent. Durations are in milliseconds.',
  z.object({
    now: time.describe("The server's clock."),
    settings: z.object({
      afterMs: milliseconds,
      silentAfterMs: milliseconds.nullable().describe('Null: learnt for each sensor.'),
      on: z.array(state),
      quiet: z.object({ from: z.string(), to: z.string() }).nullable().describe('Times of day.'),
      timeZone: z.string(),
      againMs: milliseconds.nullable(),
    }),
    sensors: z.array(sensorReport).max(MAX_SENSORS).describe(`The worst air first, at most ${MAX_SENSORS}.`),
    sensorCount: z.int().min(0),
    addresses: z.array(address).describe('In the order of the setting.'),
    transitions: z.array(transition).max(50).describe('Newest first, at most 50.'),
    messages: z.array(message).max(50).describe('Newest first, at most 50.'),
  }),
);

export const testAnswer = schemaOf<TestAnswer>()(
  'TestAnswer',
  'The answer of one address to a test.',
  z.object({ address: z.string(), isDelivered: z.boolean(), answer: z.string() }),
);
