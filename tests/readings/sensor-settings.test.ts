import { expect, test } from 'vitest';
import { parseEnv } from '../../app/config/env.server';
import { judgeReadings } from '../../app/readings/air/judge-reading';
import { levelNow } from '../../app/readings/now/level-now';
import { changeSettings, DEFAULT_SETTINGS, thresholdsFor } from '../../app/readings/sensor-settings';

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
  [
    { thresholds: { temperature: { to: 26, from: 18 }, co2: null } },
    { thresholds: { temperature: { from: 18, to: 26 } } },
  ],
  [
    { thresholds: { humidity: { to: 65 }, co2: { good: 800, moderate: 1400 } } },
    { thresholds: { co2: { good: 800, moderate: 1400 }, humidity: { to: 65 } } },
  ],
])('changes %j', (sent, expected) => {
  const before = { ...DEFAULT_SETTINGS };
  expect(changeSettings(before, sent)).toEqual({
    ok: true,
    change: { settings: { ...DEFAULT_SETTINGS, ...expected }, name: undefined },
  });
});

test.each([
  [{ corrections: [] }, 'corrections'],
  [{ name: 5 }, 'name'],
  [{ name: 'x'.repeat(65) }, 'name'],
  [{ place: 'garage' }, 'place'],
  [{ is_hidden: 'yes' }, 'is_hidden'],
  [{ note: 'two\nlines' }, 'note'],
  [{ silent_after_seconds: 0 }, 'silent_after_seconds'],
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
