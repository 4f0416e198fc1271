import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AirAnswer } from '../../app/readings/air/air-report';
import { expectProblem } from '../support/server/api';
import { type RunningServer, startServer } from '../support/server/server';
import { type SupabaseDouble, startSupabaseDouble } from '../support/supabase/supabase-double';
import { until } from '../support/until';

const KEY = 'correct-horse-battery';
const NOTIFY_URLS = 'ntfy://127.0.0.1:65000/air-4711';

let double: SupabaseDouble;

beforeAll(async () => {
  double = await startSupabaseDouble();
});

afterAll(() => double.stop());

const SETTINGS: [name: string, env: () => Record<string, string>][] = [
  ['without NOTIFY_URLS', () => ({})],
  [
    'with NOTIFY_URLS, without the write key',
    () => ({ NOTIFY_URLS, WRITE_KEY: KEY, NOTIFY_QUIET: '00:00-23:59' }),
  ],
  ['on a hosted store', () => double.env],
];

describe.each(SETTINGS)('%s', (_, env) => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({ env: env() });
  });
  afterAll(() => server.stop());

  const ask = async (query = ''): Promise<AirAnswer[]> =>
    (await fetch(`${server.url}/api/air${query}`)).json();

  /** Posts readings of the last minutes, one every 15 s, newest first. */
  async function postMinutes(minutes: number, co2: number, sensor: string): Promise<void> {
    const now = Date.now();
    const batch = Array.from({ length: minutes * 4 + 1 }, (_, i) => {
      const created_at = new Date(now - i * 15_000).toISOString();
      return { co2, voc: 100, sensor, created_at };
    });
    const headers = { Authorization: `Bearer ${KEY}` };
    const body = JSON.stringify(batch);
    expect((await fetch(`${server.url}/api/data`, { method: 'POST', headers, body })).ok).toBe(true);
  }

  test('reports that the air of a sensor has become poor, with times of a zone in the text', async () => {
    // A server that has just started answers 503.
    await until(async () => Array.isArray(await ask()));
    expect(await ask()).toEqual([]);
    await postMinutes(6, 2100, 'Lab');
    await until(async () => (await ask()).length > 0);
    expect(await ask()).toEqual([{ sensor: 'Lab', state: 'poor' }]);
    const texts = await Promise.all(
      ['UTC', 'Asia/Kolkata'].map(async (zone) => {
        const [answer] = await ask(`?sensor=Lab&before=good&zone=${zone}`);
        expect(answer).toMatchObject({ sensor: 'Lab', state: 'poor' });
        expect(answer?.notification?.title).toMatch(/(Lab: p|P)oor air$/);
        return answer?.notification?.text;
      }),
    );
    expect(texts[0]).toMatch(/^CO2 is 2100 PPM, above 2000 since \w{3} .*\d\d:\d\d, for 6 min\.$/);
    expect(texts[1]).not.toBe(texts[0]);
    expect(await ask('?sensor=Lab&before=poor')).toEqual([
      { sensor: 'Lab', state: 'poor', notification: null },
    ]);
  });

  test('lists the sensors in pages by name', async () => {
    const whole = await ask();
    const pages: AirAnswer[] = [];
    for (let next: string | undefined = '/api/air?limit=1'; next; ) {
      const answer: Response = await fetch(server.url + next);
      const page: AirAnswer[] = await answer.json();
      expect(page).toHaveLength(1);
      pages.push(...page);
      next = /^<(.*)>; rel="next"$/.exec(answer.headers.get('Link') ?? '')?.[1];
    }
    expect(pages).toEqual(whole);
    expect(whole.length).toBeGreaterThan(0);
  });

  test('rejects a sensor without readings, and other parameters', async () => {
    expect(await ask('?sensor=Attic&before=poor')).toEqual([]);
    for (const query of ['limits=1', 'limit=0', 'sensor=&limit=1']) {
      await expectProblem(await fetch(`${server.url}/api/air?${query}`), 400);
    }
    expect((await fetch(`${server.url}/api/air`, { method: 'POST' })).headers.get('Allow')).toBe('GET, HEAD');
  });
});
