import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_SENSORS } from '../../app/readings/known-sensors';
import { METRICS } from '../../app/readings/metric';
import { runSql } from '../support/readings/database';
import { expectProblem, post } from '../support/server/api';
import { openEventStream } from '../support/server/event-stream';
import { freePort, type RunningServer, startServer, temporaryFolder } from '../support/server/server';
import { until } from '../support/until';

/** Returns true if Prometheus and its promtool are installed, for example from Debian's package `prometheus`. */
function hasPrometheus(): boolean {
  return ['prometheus', 'promtool'].every((program) => spawnSync(program, ['--version']).status === 0);
}

/** Returns what `promtool check metrics` prints about `text`; empty if it is valid. */
function complaintsOfPromtool(text: string): string {
  const { stdout, stderr, status } = spawnSync('promtool', ['check', 'metrics'], {
    input: text,
    encoding: 'utf8',
  });
  return status === 0 ? '' : `${stdout}${stderr}`;
}

/** A Prometheus that scrapes one server. */
interface Prometheus {
  /** Returns the samples that a query selects, without the labels added by the scrape. */
  query(expression: string): Promise<{ labels: Record<string, string>; value: number }[]>;
  stop(): void;
}

/** Starts a new Prometheus that scrapes `host` every second. */
async function startPrometheus(host: string): Promise<Prometheus> {
  const folder = temporaryFolder();
  const config = join(folder, 'prometheus.yml');
  writeFileSync(
    config,
    `scrape_configs: [{ job_name: air, scrape_interval: 1s, static_configs: [{ targets: ['${host}'] }] }]`,
  );
  const port = await freePort();
  const child = spawn(
    'prometheus',
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  return {
    async query(expression) {
      const address = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(expression)}`;
      const answer = await fetch(address).catch(() => null);
      if (!answer?.ok) return [];
      const { data } = (await answer.json()) as QueryAnswer;
      return data.result.map(({ metric: { __name__, instance, job, ...labels }, value: [, value] }) => ({
        labels,
        value: Number(value),
      }));
    },
    stop: () => void child.kill('SIGKILL'),
  };
}

interface QueryAnswer {
  data: { result: { metric: Record<string, string>; value: [number, string] }[] };
}

const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8';
const TEXT = 'text/plain; version=0.0.4; charset=utf-8';
/** The `Accept` headers of Prometheus 2.42 and 3.5. */
const ACCEPTED_BY_PROMETHEUS = [
  'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
  'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2',
];
/** A name with every character that needs escaping in a label. */
const ODD = 'The "lab" \\ Küche {1,2} 🌬';

const isInstalled = hasPrometheus();
if (!isInstalled) console.log('Prometheus is not installed: the tests with it and promtool are skipped.');

let server: RunningServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

const read = async (accept = 'text/plain') =>
  (await fetch(`${server.url}/metrics`, { headers: { Accept: accept } })).text();

/** Returns the value of a sample; undefined if it is missing. */
const valueIn = (text: string, sample: string) => {
  const line = text.split('\n').find((line) => line.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.slice(sample.length + 1));
};

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

test('a new server counts from zero and has no sensors', async () => {
  const text = await read();
  for (const outcome of ['stored', 'duplicate', 'refused'])
    expect(valueIn(text, `airboard_readings_total{outcome="${outcome}"}`)).toBe(0);
  expect(valueIn(text, 'airboard_event_streams')).toBe(0);
  expect(text).not.toMatch(/^airboard_(co2|voc|level|reading_age)\S* \d/m);
});

test('exports values, level and age of each sensor, and only the age of a stale one', async () => {
  const readings = [
    { sensor: 'Kitchen', co2: 2400, voc: 120, created_at: ago(0) },
    { sensor: 'Bedroom', co2: 862, voc: null, created_at: ago(1) },
    { sensor: 'Attic', co2: 1500, voc: 50, created_at: ago(16) },
    { sensor: ODD, co2: null, voc: 500.5, created_at: ago(0) },
    { co2: -0.5, voc: 7 },
  ];
  expect((await post(server.url, readings)).status).toBe(201);
  const text = await read();
  const of = (sensor: string) =>
    ['co2_ppm', 'voc_ppb', 'level'].map((name) => valueIn(text, `airboard_${name}{sensor="${sensor}"}`));
  expect(of('Kitchen')).toEqual([2400, 120, 2]);
  expect(of('Bedroom')).toEqual([862, undefined, 0]);
  expect(of('Attic')).toEqual([undefined, undefined, undefined]);
  expect(of(ODD.replaceAll('\\', '\\\\').replaceAll('"', '\\"'))).toEqual([undefined, 500.5, 1]);
  // CO2 below outdoor air is a sensor fault, which says nothing about the air and is no value of it.
  expect(of('')).toEqual([undefined, 7, undefined]);
  const age = valueIn(text, 'airboard_reading_age_seconds{sensor="Attic"}') ?? 0;
  expect(age).toBeGreaterThanOrEqual(16 * 60);
  expect(age).toBeLessThan(20 * 60);
});

test('counts readings by outcome, refused requests by status, and open streams', async () => {
  const values = async () => {
    const text = await read();
    return ['stored', 'duplicate', 'refused'].map((outcome) =>
      valueIn(text, `airboard_readings_total{outcome="${outcome}"}`),
    ) as number[];
  };
  const [stored = 0, duplicate = 0, refused = 0] = await values();
  const known = { co2: 1, voc: 1, created_at: ago(60), sensor: 'Counted' };
  await post(server.url, known);
  await post(server.url, known);
  await post(server.url, { ...known, co2: 2 });
  await post(server.url, { co2: 'much', voc: 1 });
  await fetch(`${server.url}/api/data`, { method: 'POST', body: '{"co2"' });
  expect(await values()).toEqual([stored + 1, duplicate + 1, refused + 3]);
  await post(server.url, [known, { ...known, created_at: ago(61) }, { CO2: 1 }]);
  expect(await values()).toEqual([stored + 2, duplicate + 2, refused + 4]);

  // `increase` needs the counter's 0 from before the first refusal.
  expect(valueIn(await read(), 'airboard_requests_refused_total{code="401"}')).toBe(0);
  await fetch(`${server.url}/api/nothing`);
  const text = await read();
  expect(valueIn(text, 'airboard_requests_refused_total{code="400"}')).toBeGreaterThanOrEqual(2);
  expect(valueIn(text, 'airboard_requests_refused_total{code="409"}')).toBe(1);
  expect(valueIn(text, 'airboard_requests_refused_total{code="404"}')).toBe(1);

  const stream = await openEventStream(server.url);
  await until(async () => valueIn(await read(), 'airboard_event_streams') === 1);
  stream.close();
  await until(async () => valueIn(await read(), 'airboard_event_streams') === 0);
});

test('exports the event-loop delay and the standard process metrics', async () => {
  await read();
  const text = await until(async () => {
    const text = await read();
    return valueIn(text, 'airboard_event_loop_delay_seconds_count') ? text : null;
  });
  expect(valueIn(text, 'process_resident_memory_bytes')).toBeGreaterThan(1e7);
  expect(valueIn(text, 'process_cpu_seconds_total')).toBeGreaterThan(0);
  const startedAt = valueIn(text, 'process_start_time_seconds') ?? 0;
  expect(startedAt).toBeLessThanOrEqual(Date.now() / 1000);
  expect(startedAt).toBeGreaterThan(Date.now() / 1000 - 3600);
  expect(text).toMatch(/^airboard_build_info\{version="\d+\.\d+\.\d+",build="\w{16}",store="sqlite"\} 1$/m);
});

describe('the format', () => {
  test.each([
    ...ACCEPTED_BY_PROMETHEUS.map((accept) => [accept, OPEN_METRICS]),
    ['application/openmetrics-text', OPEN_METRICS],
    ['application/openmetrics-text; version=0.0.1', TEXT],
    ['text/plain;q=0.5, application/openmetrics-text;version=1.0.0;q=0.4', TEXT],
    ['*/*', TEXT],
    ['text/html', TEXT],
  ])('is negotiated: %s', async (accept = '', type) => {
    const answer = await fetch(`${server.url}/metrics`, { headers: { Accept: accept } });
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, type]);
    expect(answer.headers.get('Vary')).toContain('Accept');
    expect(answer.headers.get('Content-Encoding')).toBe('gzip');
    const text = await answer.text();
    expect(text.endsWith('# EOF\n')).toBe(type === OPEN_METRICS);
    // The family of a counter ends with `_total` in the text format only. One format must not affect the other.
    const family = type === OPEN_METRICS ? 'airboard_readings' : 'airboard_readings_total';
    expect(text).toContain(`# TYPE ${family} counter\n`);
    expect(valueIn(text, 'airboard_readings_total{outcome="stored"}')).toBeGreaterThan(0);
  });

  test('does not depend on simultaneous requests', async () => {
    const texts = await Promise.all([read(OPEN_METRICS), read(TEXT), read(OPEN_METRICS), read(TEXT)]);
    expect(texts.map((text) => text.endsWith('# EOF\n'))).toEqual([true, false, true, false]);
    expect(texts.every((text) => text.includes('airboard_readings_total{'))).toBe(true);
  });
});

test('takes no parameters but those of a page', async () => {
  await expectProblem(await fetch(`${server.url}/metrics?sensor=Kitchen`), 400);
});

test('docs/metrics.md lists every metric except the sensor values with its type', async () => {
  const docs = readFileSync('docs/metrics.md', 'utf8');
  const listed = [...docs.matchAll(/^\| `(\w+)(?:\{.*?\})?` \| (\w+) \|/gm)].map((row) => row.slice(1, 3));
  const types = [...(await read()).matchAll(/^# TYPE (\w+) (\w+)$/gm)].map((line) => line.slice(1, 3));
  const gauges = METRICS.map(({ prometheus }) => prometheus);
  expect(listed.sort()).toEqual(types.filter(([name = '']) => !gauges.includes(name)).sort());
});

describe.runIf(isInstalled)('with Prometheus', () => {
  test('promtool finds nothing wrong', async () => {
    expect(complaintsOfPromtool(await read())).toBe('');
    expect(complaintsOfPromtool('# TYPE a_total gauge\na_total 1\n')).not.toBe('');
  });

  test('a real Prometheus scrapes the same values', async () => {
    const prometheus = await startPrometheus(`127.0.0.1:${server.port}`);
    try {
      const co2 = await until(async () => {
        const found = await prometheus.query('airboard_co2_ppm');
        return found.length > 0 ? found : null;
      });
      expect(co2).toContainEqual({ labels: { sensor: 'Kitchen' }, value: 2400 });
      // Prometheus treats an empty label as missing.
      expect(await prometheus.query('airboard_voc_ppb < 10')).toEqual([{ labels: {}, value: 7 }]);
      const voc = await prometheus.query('airboard_voc_ppb > 400');
      expect(voc).toEqual([{ labels: { sensor: ODD }, value: 500.5 }]);
      const stored = await prometheus.query('airboard_readings_total{outcome="stored"}');
      expect(stored[0]?.value).toBe(valueIn(await read(), 'airboard_readings_total{outcome="stored"}'));
      expect(await prometheus.query('up == 1')).toHaveLength(1);
    } finally {
      prometheus.stop();
    }
  });
});

test('exports all sensors, in pages by name if asked to', async () => {
  const many = Array.from({ length: MAX_SENSORS + 20 }, (_, i) => ({
    sensor: `Room ${i + 100}`,
    co2: 700,
    voc: 1,
  }));
  expect((await post(server.url, many)).status).toBe(201);
  const roomsIn = (text: string) =>
    [...text.matchAll(/^airboard_co2_ppm\{sensor="(Room .*)"\}/gm)].map(([, name]) => name);
  const names = many.map(({ sensor }) => sensor);
  expect(roomsIn(await read())).toEqual(names);
  const page = await fetch(`${server.url}/metrics?limit=50&after=Room+149`, { headers: { Accept: TEXT } });
  expect(roomsIn(await page.text())).toEqual(names.slice(50, 100));
  expect(page.headers.get('Link')).toBe('</metrics?limit=50&after=Room+199>; rel="next"');
  const last = await fetch(`${server.url}/metrics?limit=50&after=Room+199`);
  expect(last.headers.get('Link')).toBeNull();
});

test('omits the sensors and counts errors while the store is unreadable', async () => {
  runSql(server.databasePath, 'alter table data rename to elsewhere');
  await fetch(`${server.url}/api/data`);
  await post(server.url, { co2: 1, voc: 1 });
  const answer = await fetch(`${server.url}/metrics`, { headers: { Accept: TEXT } });
  expect(answer.status).toBe(200);
  const text = await answer.text();
  expect(text).not.toMatch(/^airboard_co2_ppm\{/m);
  for (const operation of ['read', 'write'])
    expect(valueIn(text, `airboard_store_errors_total{operation="${operation}"}`)).toBeGreaterThan(0);
  runSql(server.databasePath, 'alter table elsewhere rename to data');
  await until(async () => /^airboard_co2_ppm\{/m.test(await read()));
});
