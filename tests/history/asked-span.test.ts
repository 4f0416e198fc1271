import { expect, test } from 'vitest';
import { askedSpan, maxAgeSeconds, type SpanQuery } from '../../app/history/asked-span.server';
import type { SensorSummary } from '../../app/readings/reading';
import { reading, sensorWith } from '../support/readings/readings';

const NOW = Date.parse('2026-01-02T12:00:00.250Z');
const secondsOf = (time: string) => Date.parse(time) / 1000;

const kitchen = sensorWith([
  reading(1, { sensor: 'Kitchen', created_at: '2026-01-02T10:00:00.900Z' }),
  reading(2, { sensor: 'Kitchen', created_at: '2026-01-02T11:00:00.000Z' }),
]);
const named = (...names: string[]) => names.flatMap((sensor) => sensorWith([reading(1, { sensor })]));

const ask = (query: SpanQuery, sensors: readonly SensorSummary[] = kitchen) =>
  askedSpan({ lastHeard: async () => [...sensors] }, query, NOW);

test.each<[SpanQuery, sensor: string, from: string, to: string]>([
  [{}, 'Kitchen', '2026-01-02T10:00:00Z', '2026-01-02T12:00:01Z'],
  [{ sensor: 'Kitchen' }, 'Kitchen', '2026-01-02T10:00:00Z', '2026-01-02T12:00:01Z'],
  [
    { from: '2026-01-02T10:30:00.999999Z', to: '2026-01-02T10:31:00.000001Z' },
    'Kitchen',
    '2026-01-02T10:30:00Z',
    '2026-01-02T10:31:01Z',
  ],
  [{ from: '1999-01-01T00:00:00Z' }, 'Kitchen', '2000-01-01T00:00:00Z', '2026-01-02T12:00:01Z'],
  [{ to: '9999-01-01T00:00:00Z' }, 'Kitchen', '2026-01-02T10:00:00Z', '2100-01-01T00:00:00Z'],
])('%j is the span of %s from %s to %s', async (query, sensor, from, to) => {
  expect(await ask(query)).toEqual({ ok: true, value: { sensor, from: secondsOf(from), to: secondsOf(to) } });
});

test.each<SpanQuery>([
  { from: '2026-01-02T10:30:00.500Z', to: '2026-01-02T10:30:00.500Z' },
  { from: '2026-01-03T00:00:00Z' },
  { to: '2026-01-01T00:00:00Z' },
  { sensor: 'Attic' },
])('%j is an empty span', async (query) => {
  const span = await ask(query);
  const { from, to } = span.ok ? span.value : { from: 0, to: 1 };
  expect(from).toBe(to);
});

test('without a reading, the span of the unnamed sensor is empty', async () => {
  expect(await ask({}, [])).toMatchObject({ ok: true, value: { sensor: '' } });
});

test('a complete query needs no list of sensors', async () => {
  const fail = () => Promise.reject(new Error('unexpected'));
  const query = { sensor: 'Kitchen', from: '2026-01-02T10:00:00Z' };
  expect(await askedSpan({ lastHeard: fail }, query, NOW)).toMatchObject({ ok: true });
});

test.each([
  [named('', 'Kitchen'), 'empty or "Kitchen"'],
  [named('a', 'b', 'c', 'd', 'e'), '"a", "b", "c", "d", or "e"'],
  [named('a', 'b', 'c', 'd', 'e', 'f'), '"a", "b", "c", "d", "e", or another one of /api/sensors'],
])('requires a sensor if there are several', async (sensors, names) => {
  const detail = `is missing, and there are several: it must be ${names}`;
  expect(await ask({}, sensors)).toEqual({ ok: false, errors: [{ field: 'sensor', detail }] });
});

test('an answer whose span ended an hour ago is cacheable for a minute', () => {
  expect(maxAgeSeconds(1000, 4_600_000)).toBe(60);
  expect(maxAgeSeconds(1000, 4_599_999)).toBe(0);
  expect(maxAgeSeconds(9000, 4_600_000)).toBe(0);
});
