import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { post } from '../support/server/api';
import { type RunningServer, startServer } from '../support/server/server';

interface Target {
  expr?: string;
  url: string;
  url_options: { params: { key: string; value: string }[] };
  root_selector: string;
  columns: { selector: string }[];
}

interface Panel {
  id: number;
  title: string;
  targets: Target[];
}

const dashboard = (name: string) => JSON.parse(readFileSync(`docs/grafana/${name}.json`, 'utf8'));
const targetsOf = (name: string) =>
  (dashboard(name).panels as Panel[]).flatMap(({ title, targets }) =>
    targets.map((target) => ({ title, ...target })),
  );

let server: RunningServer;

beforeAll(async () => {
  server = await startServer();
  const values = { co2: 900, voc: 90, pm25: 7, temperature: 21, humidity: 45 };
  expect((await post(server.url, { sensor: 'Class 2 & 3', ...values })).status).toBe(201);
});

afterAll(() => server.stop());

test('every panel of the dashboard for Prometheus asks for a metric that /metrics has', async () => {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const exported = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
  for (const { title, expr = '' } of targetsOf('airboard')) {
    const [name] = /airboard_\w+/.exec(expr) ?? [];
    expect(exported, title).toContain(name);
  }
});

test('every panel of the dashboard for Infinity finds its columns in the answer of /api/history', async () => {
  const day = 86_400_000;
  const variables: Record<string, string> = {
    sensor: 'Class 2 & 3',
    '__from:date:iso': new Date(Date.now() - day).toISOString(),
    '__to:date:iso': new Date(Date.now() + day).toISOString(),
  };
  const filled = (text: string) => text.replace(/\$\{([^}]+)\}/g, (_, name) => variables[name] ?? 'unknown');
  for (const { title, url, url_options, root_selector, columns } of targetsOf('airboard-history')) {
    const query = new URLSearchParams(url_options.params.map(({ key, value }) => [key, filled(value)]));
    const answer = await (await fetch(`${server.url}${url}?${query}`)).json();
    const [step] = answer[root_selector];
    for (const { selector } of columns) {
      const value = selector.split('.').reduce((object, name) => object?.[name], step);
      expect(value, `${title}: ${selector}`).toBeDefined();
    }
  }
});
