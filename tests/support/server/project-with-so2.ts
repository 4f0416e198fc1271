import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { run } from '../devices/recipes';
import { post, readAll } from './api';
import { temporaryFolder } from './server';

/** The copied files and folders of the project. */
const COPIED = [
  ...['app', 'public', 'scripts', 'supabase', 'docs', 'package.json', 'package-lock.json'],
  ...['remix.config.js', 'tailwind.config.ts', 'tsconfig.json', 'vite.config.ts'],
];

const ROW = `  {
    // Good: WHO's guideline for 24 hours, 2021. Moderate: US EPA's standard for an hour.
    field: 'so2',
    name: 'SO2',
    unit: 'PPB',
    decimals: 0,
    plausible: { from: 0, to: 20_000 },
    threshold: { good: 15, moderate: 75 },
    advice: VENTILATE,
    color: { light: '#7a1f5c', dark: '#e59ad0' },
    dash: [3, 3],
    prometheus: 'airboard_so2_ppb',
    deviceClass: null,
    aliases: [],
  },
`;
const END_OF_TABLE = '\n]);\n';

/** Builds a copy of the project with one more row in its table of metrics. Returns its start script. */
export async function projectWithSo2(): Promise<{ folder: string; script: string }> {
  const folder = temporaryFolder();
  for (const path of COPIED) cpSync(path, join(folder, path), { recursive: true });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const table = join(folder, 'app/readings/metric-table.js');
  const [rows, rest, ...others] = readFileSync(table, 'utf8').split(END_OF_TABLE);
  expect(others).toEqual([]);
  writeFileSync(table, `${rows}\n${ROW.trimEnd()}${END_OF_TABLE}${rest}`);
  // Without minifying, a build takes half as long.
  const config = join(folder, 'vite.config.ts');
  const minified = readFileSync(config, 'utf8');
  expect(minified).toContain("'terser'");
  writeFileSync(config, minified.replace("'terser'", 'false'));
  await run([process.execPath, 'scripts/build.js'], { cwd: folder });
  return { folder, script: join(folder, 'scripts/start.js') };
}

/**
 * Posts three readings, the second with SO2 alone and the third with SO2 among other metrics. Expects SO2 in
 * readings, CSV, history, summary, Prometheus metrics and the OpenAPI document.
 */
export async function followSo2(url: string): Promise<void> {
  const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  expect((await post(url, { co2: 640, voc: 90, created_at: at(3) })).status).toBe(201);
  expect((await post(url, { so2: 80, created_at: at(2) })).status).toBe(201);
  const mixed = { co2: 650, voc: 95, so2: '320.5', temperature: 21, created_at: at(1) };
  expect((await post(url, mixed)).status).toBe(201);
  expect(await (await post(url, { so2: 'much' })).json()).toMatchObject({ errors: [{ field: 'so2' }] });

  const [first, second, third] = await readAll(url);
  expect(first).not.toHaveProperty('so2');
  expect(second).toMatchObject({ co2: null, voc: null, so2: 80 });
  expect(third).toMatchObject({ co2: 650, voc: 95, so2: 320.5, temperature: 21 });

  const csv = await (await fetch(`${url}/api/data?format=csv`)).text();
  const [header = '', ...rows] = csv.trim().split('\r\n');
  const column = header.split(',').indexOf('so2');
  expect(rows.map((row) => row.split(',')[column])).toEqual(['', '80', '320.5']);

  const history = await (await fetch(`${url}/api/history`)).json();
  const steps = history.steps.flatMap((step: Record<string, unknown>) => step.so2 ?? []);
  expect(steps.map(({ average }: { average: number }) => average)).toEqual([80, 320.5]);
  const summary = await (await fetch(`${url}/api/summary`)).json();
  expect(summary.so2).toMatchObject({ lowest: 80, highest: 320.5 });

  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toContain('airboard_so2_ppb{sensor=""} 320.5');
  expect(metrics).toContain('airboard_level{sensor=""} 2');
  const { components } = await (await fetch(`${url}/api/openapi.json`)).json();
  expect(components.schemas.ReadingSent.properties).toHaveProperty('so2');
}
