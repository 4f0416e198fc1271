import { expect, test } from 'vitest';
import { airReport } from '../../app/alerts/air-report.server';
import { airAt } from '../../app/readings/air/judge-reading';
import type { WatchedSensor } from '../../app/store/alert-store';

const SETTINGS = {
  urls: [],
  secret: null,
  smtpUrl: null,
  publicUrl: null,
  afterMs: 300_000,
  silentAfterMs: 900_000,
  on: [],
  quiet: null,
  timeZone: 'UTC',
  againMs: null,
};

const watched = (sensor: string, air: Partial<WatchedSensor['air']>): WatchedSensor => ({
  sensor,
  air: { ...airAt('2026-01-02T10:00:00.000Z'), ...air },
  told: 'good',
  toldAt: null,
});

test('lists the hundred sensors with the worst air, the worst first, and says how many there are', async () => {
  const good = Array.from({ length: 250 }, (_, i) => watched(`Room ${i}`, {}));
  const sensors = [...good, watched('Lab', { level: 'moderate' }), watched('Attic', { level: 'poor' })];
  const store = {
    load: async () => ({ cursor: 0, sensors }),
    recent: async () => [],
    recentMessages: async () => [],
  };
  const report = await airReport(store, [], SETTINGS);
  expect(report.sensorCount).toBe(252);
  expect(report.sensors).toHaveLength(100);
  expect(report.sensors.slice(0, 3).map(({ state }) => state)).toEqual(['poor', 'moderate', 'good']);
});

test('says since when a sensor is silent: since its last reading', async () => {
  const silent = watched('Attic', {
    newest: '2026-01-02T11:00:00.000Z',
    silentSince: '2026-01-02T11:15:00.000Z',
  });
  const store = {
    load: async () => ({ cursor: 0, sensors: [silent] }),
    recent: async () => [],
    recentMessages: async () => [],
  };
  const [sensor] = (await airReport(store, [], SETTINGS)).sensors;
  expect(sensor).toMatchObject({ state: 'silent', since: '2026-01-02T11:00:00.000Z' });
});
