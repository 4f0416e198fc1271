import { expect, test } from 'vitest';
import { parseEnv } from '../../app/config/env.server';
import { judgeReadings } from '../../app/readings/air/judge-reading';
import { asPosted, type Correction, correctorOf, firstTouched } from '../../app/readings/correction';
import { levelNow } from '../../app/readings/now/level-now';
import type { Reading } from '../../app/readings/reading';
import { changeSettings, DEFAULT_SETTINGS, thresholdsFor } from '../../app/readings/sensor-settings';
import { storedMicros } from '../../app/readings/time/reading-time';

const NOON = '2026-01-02T12:00:00.000Z';

const SERVER = parseEnv({}).thresholds;
const COMFORT = thresholdsFor(SERVER, {
  temperature: { poor_below: 14, from: 18, to: 26 },
  humidity: { to: 65, poor_from: 80 },
});

test.each([
  [{ group: ' Home / Upstairs/' }, { group: 'Home/Upstairs' }],
  [{ note: null, group: null }, {}],
  [
    { place: 'outdoors', is_hidden: true },
    { place: 'outdoors', is_hidden: true },
  ],
  [{ silent_after_seconds: 600 }, { silent_after_seconds: 600 }],
  [{ raw_days: 30 }, { raw_days: 30 }],
  [{ raw_days: 0 }, { raw_days: 0 }],
  [
    { thresholds: { temperature: { to: 26, from: 18 }, co2: null } },
    { thresholds: { temperature: { from: 18, to: 26 } } },
  ],
  [
    { thresholds: { humidity: { to: 65 }, co2: { good: 800, moderate: 1400 } } },
    { thresholds: { co2: { good: 800, moderate: 1400 }, humidity: { to: 65 } } },
  ],
  [
    {
      corrections: [
        { metric: 'temperature', offset: -0.5, from: NOON },
        { metric: 'co2', offset: -20, factor: 1.1, from: '2026-01-03T00:00:00Z' },
        { metric: 'co2', offset: -64, from: '2026-01-02T13:00:00+01:00' },
      ],
    },
    {
      corrections: [
        { metric: 'co2', offset: -64, factor: 1, from: NOON },
        { metric: 'co2', offset: -20, factor: 1.1, from: '2026-01-03T00:00:00.000Z' },
        { metric: 'temperature', offset: -0.5, factor: 1, from: NOON },
      ],
    },
  ],
])('changes %j', (sent, expected) => {
  const before = { ...DEFAULT_SETTINGS };
  expect(changeSettings(before, sent)).toEqual({
    ok: true,
    change: { settings: { ...DEFAULT_SETTINGS, ...expected }, name: undefined },
  });
});

test.each([
  [{ corrections: {} }, 'corrections'],
  [{ corrections: [{ metric: 'CO2', from: NOON }] }, 'corrections.0.metric'],
  [{ corrections: [{ metric: 'co2', offset: '-64', from: NOON }] }, 'corrections.0.offset'],
  [{ corrections: [{ metric: 'co2', factor: 0, from: NOON }] }, 'corrections.0.factor'],
  [{ corrections: [{ metric: 'co2', offset: -64 }] }, 'corrections.0.from'],
  [{ corrections: [{ metric: 'co2', offset: -64, from: '2026-01-02' }] }, 'corrections.0.from'],
  [{ corrections: [{ metric: 'co2', ofset: -64, from: NOON }] }, 'corrections.0.ofset'],
  [
    {
      corrections: [
        { metric: 'co2', offset: 1, from: NOON },
        { metric: 'co2', offset: 2, from: '2026-01-02T13:00:00+01:00' },
      ],
    },
    'corrections',
  ],
  [{ recomputing: true }, 'recomputing'],
  [{ name: 5 }, 'name'],
  [{ name: 'x'.repeat(65) }, 'name'],
  [{ place: 'garage' }, 'place'],
  [{ is_hidden: 'yes' }, 'is_hidden'],
  [{ note: 'two\nlines' }, 'note'],
  [{ silent_after_seconds: 0 }, 'silent_after_seconds'],
  [{ raw_days: 29 }, 'raw_days'],
  [{ raw_days: 30.5 }, 'raw_days'],
  [{ raw_days: '90' }, 'raw_days'],
  [{ thresholds: 5 }, 'thresholds'],
  [{ thresholds: { pressure: { from: 1 } } }, 'thresholds.pressure'],
  [{ thresholds: { CO2: { good: 1, moderate: 2 } } }, 'thresholds.CO2'],
  [{ thresholds: { co2: { good: 800 } } }, 'thresholds.co2.moderate'],
  [{ thresholds: { co2: { good: 800, moderate: 700 } } }, 'thresholds.co2.moderate'],
  [{ thresholds: { temperature: { from: 18, to: 16 } } }, 'thresholds.temperature.to'],
  [{ thresholds: { temperature: { poor_below: 14 } } }, 'thresholds.temperature.from'],
  [{ thresholds: { temperature: { good: 14 } } }, 'thresholds.temperature.good'],
])('refuses %j by its field', (sent, field) => {
  expect(changeSettings(DEFAULT_SETTINGS, sent)).toMatchObject({ ok: false, errors: [{ field }] });
});

test.each([
  [{ temperature: 20 }, 'good'],
  [{ temperature: 18 }, 'good'],
  [{ temperature: 17.9 }, 'moderate'],
  [{ temperature: 13.9 }, 'poor'],
  [{ temperature: 26 }, 'moderate'],
  [{ temperature: 45 }, 'moderate'],
  [{ humidity: 5 }, 'good'],
  [{ humidity: 65 }, 'moderate'],
  [{ humidity: 80 }, 'poor'],
  [{ temperature: 20, humidity: 85 }, 'poor'],
])('with thresholds of its own, air of %j is %s', (values, level) => {
  const reading = { co2: 500, voc: null, ...values };
  expect(levelNow([reading], COMFORT).level).toBe(level);
  expect(levelNow([reading], SERVER).level).toBe('good');
});

const CORRECTIONS: Correction[] = [
  { metric: 'co2', offset: -64, factor: 1, from: NOON },
  { metric: 'co2', offset: 0, factor: 1.1, from: '2026-01-03T00:00:00.000Z' },
  { metric: 'temperature', offset: -0.3, factor: 1, from: NOON },
];

test.each([
  ['2026-01-02T11:59:59Z', { co2: 464 }, {}, null],
  ['2026-01-02T12:00:00Z', { co2: 464, voc: 7 }, { co2: 400 }, { co2: 464 }],
  ['2026-01-02T12:00:00Z', { co2: 464, temperature: 20.1 }, { co2: 400, temperature: 19.8 }, {}],
  ['2026-01-03T12:00:00Z', { co2: 500.3 }, { co2: 550.33 }, { co2: 500.3 }],
  ['2026-01-03T12:00:00Z', { voc: 5, temperature: null }, {}, null],
  ['2026-01-03T12:00:00Z', { co2: 65535 }, {}, null],
])('at %s, corrects %j', (time, sent, changed, raw) => {
  const posted = { co2: null, voc: null, ...sent };
  const corrected = correctorOf(CORRECTIONS)(posted, storedMicros(time));
  expect(corrected.values).toEqual({ ...posted, ...changed });
  if (raw === null) expect(corrected.raw).toBeNull();
  else expect(corrected.raw).toMatchObject(raw);
  const reading: Reading = { id: 1, created_at: time, ...corrected.values };
  expect(asPosted(corrected.raw ? { ...reading, raw: corrected.raw } : reading)).toEqual({
    id: 1,
    created_at: time,
    ...posted,
  });
});

test.each([
  [[], CORRECTIONS, NOON],
  [CORRECTIONS, CORRECTIONS, null],
  [CORRECTIONS, CORRECTIONS.slice(0, 2), NOON],
  [CORRECTIONS.slice(0, 2), CORRECTIONS.slice(0, 1), '2026-01-03T00:00:00.000Z'],
])('a change of corrections touches readings from its first difference on (%#)', (before, after, first) => {
  expect(firstTouched(before, after)).toBe(first);
});

test('a room gets too cold after a while, and is good again once it is warm by half a degree', () => {
  const rules = { thresholds: COMFORT, afterMs: 60_000, silentAfterMs: null };
  const values = [20, 17, 17, 17, 18.2, 18.2, 18.2, 18.6, 18.6, 18.6];
  const readings = values.map((temperature, i) => ({
    id: i + 1,
    co2: null,
    voc: null,
    temperature,
    created_at: new Date(Date.UTC(2026, 0, 2) + i * 30_000).toISOString(),
  }));
  const { transitions } = judgeReadings(null, readings, rules);
  expect(transitions.map(({ to, temperature }) => [to, temperature])).toEqual([
    ['moderate', 17],
    ['good', 18.6],
  ]);
});
