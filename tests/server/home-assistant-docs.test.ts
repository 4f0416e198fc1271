import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { post, readAll } from '../support/api';
import { isInstalled, recipesBelow } from '../support/recipes';
import { type RunningServer, startServer } from '../support/server';

const hasJinja = isInstalled('python3', '-c', 'import jinja2');
if (!hasJinja) console.warn('jinja2 for python3 is not installed: the templates are read, but not rendered.');

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const example = (heading: string) =>
  parse(recipesBelow('docs/home-assistant.md', heading, server.url)[0] as string);

/** The functions and filters of Home Assistant that the examples use. */
const RENDER = `
import json, sys
from datetime import datetime, timedelta, timezone
from jinja2 import StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment
template, variables, states = json.load(sys.stdin)
environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined)
environment.filters["to_json"] = json.dumps
environment.globals.update(
    now=lambda: datetime.now(timezone.utc), timedelta=timedelta, as_timestamp=lambda time: time.timestamp(),
    as_datetime=lambda text: datetime.fromisoformat(text), states=lambda entity: states.get(entity, "unknown"),
    is_number=lambda text: text.replace(".", "", 1).isdigit())
print(environment.from_string(template).render(variables))
`;
const render = (template: string, variables: object, states: Record<string, string> = {}) =>
  execFileSync('python3', ['-c', RENDER], {
    input: JSON.stringify([template, variables, states]),
    encoding: 'utf8',
  }).trimEnd();

const [OLD, NOW] = [new Date(Date.now() - 16 * 60_000).toISOString(), new Date().toISOString()];

test('the REST sensors read the newest reading, and are unavailable without a value', async () => {
  const { rest } = example('Sensors of airboard');
  const [{ resource, params, sensor: sensors }] = rest;
  const ask = async (name: string) => {
    const address = `${resource}?${new URLSearchParams({ ...params, sensor: name })}`;
    const answer = await fetch(address);
    expect(answer.status).toBe(200);
    return answer.json();
  };
  await post(server.url, { sensor: params.sensor, co2: 862, voc: 120, created_at: NOW });
  await post(server.url, { sensor: 'Hall', co2: null, voc: 5, created_at: NOW });
  await post(server.url, { sensor: 'Attic', co2: 1, voc: 1, created_at: OLD });
  expect(sensors).toHaveLength(2);
  for (const [i, metric] of (['co2', 'voc'] as const).entries()) {
    const { value_template, availability } = sensors[i];
    const members = [...`${value_template} ${availability}`.matchAll(/value_json\[0\]\.(\w+)/g)].map(
      ([, name]) => name,
    );
    expect(new Set(members)).toEqual(new Set([metric, 'created_at']));
    if (!hasJinja) continue;
    const newest = await ask(params.sensor);
    expect(render(value_template, { value_json: newest })).toBe(String(newest[0][metric]));
    const isAvailable = async (name: string) => render(availability, { value_json: await ask(name) });
    expect(await isAvailable(params.sensor)).toBe('True');
    expect(await isAvailable('Hall')).toBe(metric === 'voc' ? 'True' : 'False');
    expect(await isAvailable('Attic')).toBe('False');
    expect(await isAvailable('Nobody')).toBe('False');
  }
});

test('the automation watches a sensor of the first example, at its good limit', async () => {
  const { rest } = example('Sensors of airboard');
  const [{ triggers }] = example('An automation').automation;
  const entities = rest[0].sensor.map(
    ({ name }: { name: string }) => `sensor.${name.toLowerCase().replaceAll(' ', '_')}`,
  );
  expect(entities).toContain(triggers[0].entity_id);
  const { parseEnv } = await import('../../app/config/env.server');
  expect(triggers[0].above).toBe(parseEnv({}).thresholds.co2.good);
});

test.skipIf(!hasJinja)('the REST command posts a reading, with null for what is unavailable', async () => {
  const { rest_command, automation } = example('Sensors of Home Assistant on airboard');
  const [[name, command]] = Object.entries<Record<string, string>>(rest_command) as [
    [string, Record<string, string>],
  ];
  expect(automation[0].actions[0].action).toBe(`rest_command.${name}`);
  const { url = '', method = '', content_type = '', payload = '' } = command;
  for (const voc of ['120.5', 'unavailable']) {
    const states = { 'sensor.office_co2': '862', 'sensor.office_voc': voc };
    expect(render(automation[0].conditions, {}, states)).toBe('True');
    const answer = await fetch(url, {
      method: method.toUpperCase(),
      headers: { 'Content-Type': content_type },
      body: render(payload, {}, states),
    });
    expect(answer.status).toBe(201);
  }
  expect(render(automation[0].conditions, {})).toBe('False');
  const readings = await readAll(server.url, '?sensor=Office');
  expect(readings.map(({ co2, voc }) => [co2, voc])).toEqual([
    [862, 120.5],
    [862, null],
  ]);
});
