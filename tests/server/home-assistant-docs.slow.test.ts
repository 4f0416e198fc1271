import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { webhookRequest } from '../../app/alerts/providers/webhook.server';
import { alertEvent } from '../support/alerts/alert-changes';
import { isInstalled, recipesBelow, run } from '../support/devices/recipes';
import { post, readAll } from '../support/server/api';
import { type RunningServer, startServer } from '../support/server/server';

const hasJinja = isInstalled('python3', '-c', 'import jinja2, sys; assert sys.version_info >= (3, 11)');
if (!hasJinja)
  console.warn('jinja2 for python3.11 is not installed: the templates are read, but not rendered.');

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const example = (heading: string) =>
  parse(recipesBelow('docs/home-assistant.md', heading, server.url)[0] as string);

/** Returns the automation of an example. Its key has a label, because Home Assistant's own configuration has `automation:`. */
function automationOf(configuration: Record<string, unknown>): {
  triggers: [Record<string, unknown>];
  conditions: string;
  actions: [Record<string, unknown>];
} {
  const keys = Object.keys(configuration).filter((key) => key.startsWith('automation'));
  expect(keys).toEqual([expect.stringMatching(/^automation \w+$/)]);
  const [automation] = configuration[keys[0] as string] as ReturnType<typeof automationOf>[];
  return automation as ReturnType<typeof automationOf>;
}

/** The functions and filters of Home Assistant that the examples use. */
const RENDER = `
import json, re, sys
from datetime import datetime, timedelta, timezone
from jinja2 import StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment
def render(template, variables, states):
    environment.globals["states"] = lambda entity: states.get(entity, "unknown")
    return environment.from_string(template).render(variables)
environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined)
environment.filters["to_json"] = json.dumps
environment.filters["regex_findall"] = lambda text, pattern: re.findall(pattern, text)
environment.globals.update(
    now=lambda: datetime.now(timezone.utc), timedelta=timedelta, as_timestamp=lambda time: time.timestamp(),
    as_datetime=lambda text: datetime.fromisoformat(text),
    is_number=lambda text: text.replace(".", "", 1).isdigit())
print(json.dumps([render(*each) for each in json.load(sys.stdin)]))
`;
/** A template, its variables, and the states of entities. */
type Template = [string, object, Record<string, string>];
/** Renders templates in one process, which takes a second to start on a busy machine. */
const render = async (...templates: Template[]): Promise<string[]> =>
  JSON.parse(await run(['python3', '-c', RENDER], { input: JSON.stringify(templates) }));

const [OLD, NOW] = [new Date(Date.now() - 16 * 60_000).toISOString(), new Date().toISOString()];

test.skipIf(!hasJinja)(
  'the REST sensors read the values and the level of the newest reading, if it is current',
  async () => {
    const { rest } = example('Sensors of airboard');
    const [{ resource, sensor: sensors }] = rest;
    await post(server.url, { sensor: 'Bedroom', co2: 1862, voc: 120, created_at: NOW });
    await post(server.url, { sensor: 'Hall', co2: null, voc: 5, created_at: NOW });
    await post(server.url, { sensor: 'Attic', co2: 1, voc: 1, created_at: OLD });
    const value = await (await fetch(resource)).text();
    const templatesOf = (name: string) =>
      sensors.map(
        ({ value_template, availability }: Record<string, string>): Template => [
          `${value_template}|${availability}`.replaceAll('Bedroom', name),
          { value },
          {},
        ],
      );
    expect(await render(...templatesOf('Bedroom'))).toEqual(['1862|True', '120|True', 'moderate|True']);
    // Home Assistant doesn't render the value of what is unavailable.
    const available = sensors.map(({ availability }: Record<string, string>) => availability);
    const hall = available.map(
      (text: string): Template => [text.replaceAll('Bedroom', 'Hall'), { value }, {}],
    );
    const attic = available.map(
      (text: string): Template => [text.replaceAll('Bedroom', 'Attic'), { value }, {}],
    );
    expect(await render(...hall, ...attic)).toEqual(['False', 'True', 'True', 'False', 'False', 'False']);
  },
);

test.skipIf(!hasJinja)('the webhook automation shows the title and the text of a notification', async () => {
  const blocks = recipesBelow('docs/home-assistant.md', 'Notifications of airboard', server.url);
  const [, address = ''] = /^NOTIFY_URLS=(.*)$/m.exec(blocks[0] as string) ?? [];
  const { triggers, actions } = automationOf(parse(blocks[1] as string));
  expect(address).toMatch(new RegExp(`/api/webhook/${triggers[0].webhook_id}$`));
  const { body } = webhookRequest(alertEvent(), new URL(address), null);
  const event = JSON.parse(body as string);
  const { title, message } = actions[0].data as { title: string; message: string };
  const variables = { trigger: { json: event } };
  expect(await render([title, variables, {}], [message, variables, {}])).toEqual([
    event.data.title,
    event.data.text,
  ]);
});

test('the automation watches a sensor of the first example, at its good limit', async () => {
  const { rest } = example('Sensors of airboard');
  const { triggers } = automationOf(example('An automation'));
  const entities = rest[0].sensor.map(
    ({ name }: { name: string }) => `sensor.${name.toLowerCase().replaceAll(' ', '_')}`,
  );
  expect(entities).toContain(triggers[0].entity_id);
  const { parseEnv } = await import('../../app/config/env.server');
  expect(triggers[0].above).toBe(parseEnv({}).thresholds.co2.good);
});

test.skipIf(!hasJinja)('the REST command posts a reading, with null for what is unavailable', async () => {
  const configuration = example('Sensors of Home Assistant on airboard');
  const { rest_command } = configuration;
  const automation = automationOf(configuration);
  const [[name, command]] = Object.entries<Record<string, string>>(rest_command) as [
    [string, Record<string, string>],
  ];
  expect(automation.actions[0].action).toBe(`rest_command.${name}`);
  const { url = '', method = '', content_type = '', payload = '' } = command;
  const statesWith = (voc: string) => ({ 'sensor.office_co2': '862', 'sensor.office_voc': voc });
  const bodies = await render(
    ...['120.5', 'unavailable'].map((voc): Template => [payload, {}, statesWith(voc)]),
  );
  for (const body of bodies) {
    const headers = { 'Content-Type': content_type };
    const answer = await fetch(url, { method: method.toUpperCase(), headers, body });
    expect(answer.status).toBe(201);
  }
  const { conditions } = automation;
  expect(await render([conditions, {}, statesWith('unavailable')], [conditions, {}, {}])).toEqual([
    'True',
    'False',
  ]);
  const readings = await readAll(server.url, '?sensor=Office');
  expect(readings.map(({ co2, voc }) => [co2, voc])).toEqual([
    [862, 120.5],
    [862, null],
  ]);
});
