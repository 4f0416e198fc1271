import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { webhook } from '../../app/providers/webhook.server';
import { METRICS } from '../../app/readings/metric';
import { alertEvent } from '../support/alerts/alert-changes';
import { isInstalled, recipesBelow, run, runPython, runSketch } from '../support/devices/recipes';
import { expectProblem, post, readAll } from '../support/server/api';
import { type RunningServer, startServer } from '../support/server/server';
import { type SupabaseDouble, startSupabaseDouble } from '../support/supabase/supabase-double';

/** An SCD41 on the bus, as in its data sheet. Its third answer has a wrong checksum. */
const SMBUS2 = `
answers = 0

def checksum(data):
    value = 0xFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = ((value << 1) ^ 0x31) & 0xFF if value & 0x80 else (value << 1) & 0xFF
    return value

class i2c_msg:
    def __init__(self, address, data): self.address, self.data = address, data
    def __iter__(self): return iter(self.data)
    @staticmethod
    def write(address, data): return i2c_msg(address, data)
    @staticmethod
    def read(address, length): return i2c_msg(address, [None] * length)

class SMBus:
    def __init__(self, bus):
        assert bus == 1
        self.code, self.is_running = None, True
    def __enter__(self): return self
    def __exit__(self, *_): pass
    def i2c_rdwr(self, message):
        global answers
        assert message.address == 0x62
        if message.data[0] is not None:
            self.code = message.data[0] << 8 | message.data[1]
            if self.code == 0x21B1: assert not self.is_running
            if self.code in (0x21B1, 0x3F86): self.is_running = self.code == 0x21B1
            return
        words = {0xE4B8: [0x8006], 0xEC05: [0x01F4, 0x6667, 0x5EB9]}[self.code]
        assert self.is_running
        answers += 1
        data = []
        for word in words:
            pair = [word >> 8, word & 0xFF]
            data += pair + [checksum(pair) ^ (answers == 3)]
        assert len(data) == len(message.data)
        message.data = data
`;

describe('devices', () => {
  const hasCompiler = isInstalled('g++', '--version');
  const hasPython = isInstalled('python3', '--version');
  if (!hasCompiler) console.warn('g++ is not installed: the Arduino sketches are left out.');
  if (!hasPython) console.warn('python3 is not installed: the recipes in Python are left out.');

  let server: RunningServer;

  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());

  /** Returns the code blocks of a device's document, by default those below its title. */
  function recipes(device: string, heading?: string) {
    const path = `docs/devices/${device}.md`;
    const [, title = ''] = /^# (.+)$/m.exec(readFileSync(path, 'utf8')) ?? [];
    return recipesBelow(path, heading ?? title, server.url);
  }
  /** Returns the readings stored since `before`, the last id at that time. */
  const storedSince = (before: number) => readAll(server.url, `?after=${before}`);
  const lastId = async () => Math.max(0, ...(await readAll(server.url)).map(({ id }) => id));
  const valuesSince = async (before: number) =>
    (await storedSince(before)).map(({ sensor = '', co2, voc }) => [sensor, co2, voc]);

  /** Sends a request as a device would, and expects 201. */
  async function send(address: string, body: string, headers: Record<string, string> = {}) {
    const answer = await fetch(address, { method: 'POST', body, headers });
    expect([answer.status, answer.status === 201 ? '' : await answer.text()]).toEqual([201, '']);
  }

  test('the shell loop posts', async () => {
    const before = await lastId();
    const [loop = ''] = recipes('shell-and-python', 'A shell');
    // This `sleep` ends the loop after two rounds.
    const shell =
      'n=0; sleep() { n=$((n + 1)); [ $n -le 2 ]; }; read_co2() { echo 415; }; read_voc() { echo 120.5; }\n';
    await run(['bash', '-c', shell + loop]);
    expect(await valuesSince(before)).toEqual([
      ['', 415, 120.5],
      ['', 415, 120.5],
    ]);
  });

  test.skipIf(!hasPython)('the Python program posts readings, including those it kept', async () => {
    const before = await lastId();
    const [program = ''] = recipes('shell-and-python', 'Python');
    const quick = program
      .replace('EVERY_SECONDS = 15', 'EVERY_SECONDS = 0.05')
      .replace('24 * 3600 // EVERY_SECONDS', '1000');
    // The first attempts fail, as without a server.
    const late = quick.replace(
      'def post(readings):',
      'failures = [1, 2, 3]\ndef post(readings):\n    if failures:\n        failures.pop()\n        return False',
    );
    expect(late.match(/failures/g)).toHaveLength(3);
    await runPython(late, async () => (await storedSince(before)).length > 5);
    const readings = await storedSince(before);
    expect(readings.every(({ sensor, co2, voc }) => sensor === 'Bedroom' && co2 === 415 && voc === 120)).toBe(
      true,
    );
    const times = readings.map(({ created_at }) => created_at);
    expect(times).toEqual([...new Set(times)].sort());
  });

  test.skipIf(!hasCompiler)('the short Arduino sketch posts', async () => {
    const before = await lastId();
    await runSketch(recipes('arduino')[0] as string, { onlineAfterS: 1, forS: 20 });
    expect(await valuesSince(before)).toEqual([
      ['', 415, 120],
      ['', 415, 120],
    ]);
  });

  test.skipIf(!hasCompiler)(
    'the Arduino sketch keeps readings until it is online, and posts them with their times',
    async () => {
      const before = await lastId();
      const [sketch = ''] = recipes('arduino', 'With readings kept and posted later');
      // An ESP32 has 120 kB for all variables, including those of Wi-Fi. This machine's `time_t` is as long as
      // the board's.
      const size = 'static_assert(sizeof(kept) <= 64000, "too large for an ESP32");';
      await runSketch(`${sketch}\n${size}\n`, { onlineAfterS: 40, forS: 62 });
      const readings = await storedSince(before);
      expect(readings.map(({ sensor, co2, voc }) => [sensor, co2, voc])).toEqual(
        Array(5).fill(['Bedroom', 415, 120]),
      );
      const times = readings.map(({ created_at }) => Date.parse(created_at) / 1000);
      for (const [i, time] of times.slice(1).entries()) {
        expect(Math.abs(time - (times[i] as number) - 15)).toBeLessThanOrEqual(1);
      }
    },
  );

  test.skipIf(!hasCompiler)(
    'the sketch for SCD41 and SGP41 posts their values every 15 s, and the indices after warm-up',
    async () => {
      const before = await lastId();
      const [sketch = ''] = recipes('esp32-scd41-sgp41');
      await runSketch(sketch, { onlineAfterS: 1, forS: 108 });
      const readings = await storedSince(before);
      expect(readings).toHaveLength(7);
      for (const reading of readings) {
        expect(reading).toMatchObject({
          ...{ sensor: 'Bedroom', co2: 612, voc: null, temperature: 21.5, humidity: 45.25 },
        });
      }
      expect(readings[0]).not.toHaveProperty('voc_index');
      expect(readings.at(-1)).toMatchObject({ voc_index: 100, nox_index: 1 });
      const withKey = sketch.replace('WRITE_KEY = ""', 'WRITE_KEY = "a-key"');
      await runSketch(withKey, { onlineAfterS: 1, forS: 18 });
      expect(await storedSince(before)).toHaveLength(8);
    },
  );

  test.skipIf(!hasPython)(
    'the program for a Raspberry Pi survives failures of its SCD41, and posts the readings it kept',
    async () => {
      const before = await lastId();
      const [install = '', program = '', unit = '', start = ''] = recipes('raspberry-pi-scd41');
      expect(install).toContain('python3-smbus2');
      // The unit runs the installed file, with access to the bus.
      const [, path = ''] = /^ExecStart=\/usr\/bin\/python3 -u (\S+)$/m.exec(unit) ?? [];
      expect(start).toContain(`install -m 644 airboard-scd41.py ${path.replace(/[^/]+$/, '')}\n`);
      expect(start).toContain('systemctl enable --now airboard-scd41\n');
      expect(unit).toMatch(/^SupplementaryGroups=i2c$/m);
      const quick = program
        .replace('EVERY_SECONDS = 15', 'EVERY_SECONDS = 0.05')
        .replace('24 * 3600 // EVERY_SECONDS', '1000');
      await runPython(quick, async () => (await storedSince(before)).length > 5, { smbus2: SMBUS2 });
      const readings = await storedSince(before);
      for (const reading of readings) {
        expect(reading).toMatchObject({
          ...{ sensor: 'Bedroom', co2: 500, voc: null, temperature: 25, humidity: 37 },
        });
      }
    },
  );

  test('stores both formats of ESPHome: a map of texts, and an object with null', async () => {
    const before = await lastId();
    const [configuration = '', body = ''] = recipes('esphome');
    const lambda = { tag: '!lambda', resolve: (code: string) => code };
    const config = parse(configuration, { customTags: [lambda] });
    // Without it, ESPHome refuses the configuration of an ESP8266.
    expect(config.http_request.verify_ssl).toBe(false);
    // The watchdog restarts a board that waits for 5 s.
    expect(config.http_request).not.toHaveProperty('timeout');
    const { url, json } = config.interval[0].then[0]['http_request.post'];
    const [scd4x] = config.sensor;
    expect(scd4x.platform).toBe('scd4x');
    const state: Record<string, number> = { co2: 415.25, temperature: 21.5, humidity: 45 };
    expect(Object.keys(state)).toEqual(['co2', 'temperature', 'humidity'].map((name) => scd4x[name].id));
    // C++ writes a float with six decimals.
    const text = (code: string) =>
      code.replace(/^return to_string\(id\((\w+)\)\.state\);$/, (_, id) => (state[id] as number).toFixed(6));
    const sent = Object.fromEntries(Object.entries(json).map(([name, code]) => [name, text(code as string)]));
    expect(sent).toEqual({
      ...{ sensor: 'Bedroom', co2: '415.250000', temperature: '21.500000', humidity: '45.000000' },
    });
    await send(url, JSON.stringify(sent), { 'Content-Type': 'application/json' });
    // ArduinoJson writes nan as null.
    const members = [...body.matchAll(/root\["(\w+)"\] = (.+);/g)].map(([, name, value = '']) => {
      const id = /^id\((\w+)\)\.state$/.exec(value)?.[1];
      return [name, id ? (state[id] ?? null) : JSON.parse(value)];
    });
    expect(members).toHaveLength(6);
    await send(url, JSON.stringify(Object.fromEntries(members)));
    expect(await storedSince(before)).toEqual(
      [1, 2].map(() => expect.objectContaining({ ...state, voc: null, sensor: 'Bedroom' })),
    );
  });

  test('stores the posts of the Tasmota rule', async () => {
    const before = await lastId();
    const [rule = ''] = recipes('tasmota');
    const [, url = '', headers = '', body = ''] =
      /WebQuery (\S+) POST \[(.*?)\](.*) ENDON$/m.exec(rule) ?? [];
    const pairs = headers.split('|').map((header) => header.split(':') as [string, string]);
    await send(url, body.replace('%value%', '533'), Object.fromEntries(pairs));
    expect(await valuesSince(before)).toEqual([['Bedroom', 533, null]]);
  });

  test.skipIf(!hasPython)('the MicroPython program posts', async () => {
    const before = await lastId();
    const [program = ''] = recipes('micropython');
    await runPython(
      program.replace('time.sleep(15)', 'time.sleep(1)'),
      async () => (await storedSince(before)).length > 1,
      {
        network:
          'STA_IF = 0\nclass WLAN:\n    def __init__(self, _): pass\n    def active(self, _): pass\n    def connect(self, *_): pass\n    def isconnected(self): return True\n',
        ntptime: 'def settime(): pass\n',
        requests: [
          'import json as coding, urllib.error, urllib.request',
          'class Answer:',
          '    def __init__(self, status): self.status_code = status',
          '    def close(self): pass',
          'def post(url, json, headers, timeout):',
          '    request = urllib.request.Request(url, coding.dumps(json).encode(), headers)',
          '    try:',
          '        with urllib.request.urlopen(request, timeout=timeout) as answer: return Answer(answer.status)',
          '    except urllib.error.HTTPError as error: return Answer(error.code)',
        ].join('\n'),
      },
    );
    const readings = await storedSince(before);
    expect(readings.every(({ sensor, co2, voc }) => sensor === 'Bedroom' && co2 === 415 && voc === 120)).toBe(
      true,
    );
  });

  test('the Node-RED flow posts, and shows refusals and failures', async () => {
    const before = await lastId();
    const [reading, request, refused, failed, shown] = JSON.parse(recipes('node-red')[0] as string);
    expect(reading.wires).toEqual([[request.id]]);
    // Node-RED's request node doesn't fail on a 400 but passes it on.
    expect(request.wires).toEqual([[refused.id]]);
    expect([refused.property, refused.rules]).toEqual(['statusCode', [{ t: 'gte', v: '400', vt: 'num' }]]);
    expect([failed.type, failed.scope]).toEqual(['catch', [reading.id, request.id]]);
    expect([refused.wires, failed.wires]).toEqual([[[shown.id]], [[shown.id]]]);
    expect([shown.type, shown.active]).toEqual(['debug', true]);
    // Node-RED draws nodes without a position on top of each other.
    expect(request.x - reading.x).toBeGreaterThanOrEqual(200);
    for (const payload of [{ co2: 415, voc: 120 }, { co2: 416 }]) {
      const { payload: sent } = new Function('msg', reading.func)({ payload });
      await send(request.url, JSON.stringify(sent), { 'Content-Type': 'application/json' });
      // Two readings in the same millisecond would conflict.
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect(await valuesSince(before)).toEqual([
      ['Bedroom', 415, 120],
      ['Bedroom', 416, null],
    ]);
  });

  test('stores the posts of airRohr and Enviro as documented', async () => {
    const before = await lastId();
    await send(`${server.url}/api/airrohr`, recipes('airrohr')[0] as string);
    await send(`${server.url}/api/enviro`, recipes('enviro')[0] as string);
    expect(await valuesSince(before)).toEqual([
      ['10677322', 512, null],
      ['gecko-tank-7', 862, null],
    ]);
  });

  test('the settings for polled devices and MQTT are valid, and so are the published messages', async () => {
    const { parseEnv } = await import('../../app/config/env.server');
    const setting = (device: string, heading?: string) => {
      const [, name = '', value = ''] = /^(\w+)=(.+)$/m.exec(recipes(device, heading)[0] as string) ?? [];
      return parseEnv({ [name]: value });
    };
    expect(setting('airgradient', 'airboard asks the monitor').AIRGRADIENT).toHaveLength(2);
    expect(setting('polled').POLL_URLS).toMatchObject([{ sensor: 'Bedroom' }, { everyMs: 120_000 }]);
    const [{ paths = [] } = {}] = setting('polled', 'Any other device').POLL_URLS;
    const answer = JSON.parse(/`(\{.*\})`/.exec(readFileSync('docs/devices/polled.md', 'utf8'))?.[1] ?? '');
    const { readPaths } = await import('../../app/sources/polled-formats.server');
    expect(readPaths(answer, paths)).toMatchObject({
      ok: true,
      ...{ value: { co2: 612, temperature: 20, humidity: 41 }, remarks: [] },
    });
    expect(setting('mqtt').mqtt).toMatchObject({ host: '192.168.1.10', topics: ['airboard/+/reading'] });
    const [, publish = '', topics = ''] = recipes('mqtt');
    const [rule = ''] = recipes('mqtt', 'Names');
    const MQTT_TOPIC = topics.trim().replace('MQTT_TOPIC=', '');
    expect(parseEnv({ MQTT_URL: 'mqtt://192.168.1.10', MQTT_TOPIC }).mqtt?.topics).toHaveLength(5);
    const messages = [
      /-m '(.*)'$/m.exec(publish)?.[1],
      /Publish airboard\/Bedroom\/reading (.*) ENDON/.exec(rule)?.[1],
    ];
    for (const message of messages)
      await send(`${server.url}/api/data`, (message as string).replace('%value%', '533'));
  });
});

describe('Home Assistant', () => {
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

  /**
   * Returns the automation of an example. Its key has a label, because Home Assistant's own configuration has
   * `automation:`.
   */
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
  /** Renders templates in one process, since each start takes a second on a busy machine. */
  const render = async (...templates: Template[]): Promise<string[]> =>
    JSON.parse(await run(['python3', '-c', RENDER], { input: JSON.stringify(templates) }));

  const [OLD, NOW] = [new Date(Date.now() - 16 * 60_000).toISOString(), new Date().toISOString()];

  test.skipIf(!hasJinja)(
    'the REST sensors show the values and level of the newest reading while it is current',
    async () => {
      const { rest } = example('Sensors of airboard');
      const [{ resource, sensor: sensors }] = rest;
      const values = METRICS.map(({ field, plausible }): [string, number] => [field, plausible.from]);
      const sent = { ...Object.fromEntries(values), sensor: 'Bedroom', co2: 1862, voc: 120, created_at: NOW };
      await post(server.url, sent);
      await post(server.url, { sensor: 'Hall', co2: null, voc: 5, created_at: NOW });
      await post(server.url, { sensor: 'Attic', co2: 1, voc: 1, created_at: OLD });
      const value = await (await fetch(resource)).text();
      const templatesOf = (name: string, parts: string[]) =>
        sensors.map(
          (sensor: Record<string, string>): Template => [
            parts
              .map((part) => sensor[part])
              .join('|')
              .replaceAll('Bedroom', name),
            { value },
            {},
          ],
        );
      const expected = METRICS.map(({ field }) => `${Object(sent)[field]}|True`);
      expect(await render(...templatesOf('Bedroom', ['value_template', 'availability']))).toEqual([
        ...expected,
        'moderate|True',
      ]);
      // Home Assistant doesn't render the value of an unavailable sensor.
      const [hall, attic] = [
        await render(...templatesOf('Hall', ['availability'])),
        await render(...templatesOf('Attic', ['availability'])),
      ];
      const others = METRICS.slice(2).map(() => 'False');
      expect(hall).toEqual(['False', 'True', ...others, 'True']);
      expect(attic).toEqual(['False', 'False', ...others, 'False']);
    },
  );

  test('each entity has the class and the unit of its metric', () => {
    const { rest } = example('Sensors of airboard');
    const entities = rest[0].sensor.slice(0, -1);
    const classes = entities.map((entity: Record<string, string>) => entity.device_class ?? null);
    expect(classes).toEqual(METRICS.map(({ deviceClass }) => deviceClass));
    const units = entities.map((entity: Record<string, string>) => entity.unit_of_measurement ?? '');
    expect(units.slice(0, 10)).toEqual([
      ...['ppm', 'ppb', '', '', 'ppb', 'ppm'],
      ...['ppb', 'ppb', 'Bq/m³', 'µg/m³'],
    ]);
  });

  test.skipIf(!hasJinja)(
    'the webhook automation shows the title and the text of a notification',
    async () => {
      const blocks = recipesBelow('docs/home-assistant.md', 'Notifications of airboard', server.url);
      const [, address = ''] = /^NOTIFY_URLS=(.*)$/m.exec(blocks[0] as string) ?? [];
      const { triggers, actions } = automationOf(parse(blocks[1] as string));
      expect(address).toMatch(new RegExp(`/api/webhook/${triggers[0].webhook_id}$`));
      const { body } = webhook.request(alertEvent(), new URL(address), null);
      const event = JSON.parse(body as string);
      const { title, message } = actions[0].data as { title: string; message: string };
      const variables = { trigger: { json: event } };
      expect(await render([title, variables, {}], [message, variables, {}])).toEqual([
        event.data.title,
        event.data.text,
      ]);
    },
  );

  test('the automation watches a sensor of the first example, at its good threshold', async () => {
    const { rest } = example('Sensors of airboard');
    const { triggers } = automationOf(example('An automation'));
    const entities = rest[0].sensor.map(
      ({ name }: { name: string }) => `sensor.${name.toLowerCase().replaceAll(' ', '_')}`,
    );
    expect(entities).toContain(triggers[0].entity_id);
    const { parseEnv } = await import('../../app/config/env.server');
    expect(triggers[0].above).toBe(parseEnv({}).thresholds.co2.good);
  });

  test.skipIf(!hasJinja)('the REST command posts a reading, with null for unavailable values', async () => {
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
});

describe('the history', () => {
  const docs = readFileSync('docs/history.md', 'utf8');

  let double: SupabaseDouble;

  beforeAll(async () => {
    double = await startSupabaseDouble();
  });

  afterAll(() => double.stop());

  test('every answer about the history is 503 while Supabase fails', async () => {
    const server = await startServer({ env: double.env });
    double.rest.fault = () => ({ kind: 'answer', status: 500, body: 'no' });
    for (const path of ['history', 'summary', 'pattern']) {
      for (const query of ['', '?sensor=Kitchen&from=2026-01-02T07:00:00Z']) {
        const answer = await fetch(`${server.url}/api/${path}${query}`);
        await expectProblem(answer, 503);
        expect(Number(answer.headers.get('Retry-After')), path).toBeGreaterThan(0);
        expect(answer.headers.get('Cache-Control'), path).toBe('no-store');
      }
    }
    double.rest.fault = () => null;
    await server.stop();
  });

  test.each([
    ['SQLite', () => ({})],
    ['Supabase', () => double.env],
  ])('docs/history.md contains the literal answers, with %s', async (_, env) => {
    const readings = JSON.parse(/-d '(\[.*?\])'/s.exec(docs)?.[1] ?? '');
    const examples = [...docs.matchAll(/```\nGET (\/api\/\S+)\n```\n\n```json\n(.*?)```/gs)];
    expect(examples.map(([, address]) => address?.split('?')[0])).toEqual([
      '/api/history',
      '/api/summary',
      '/api/pattern',
    ]);
    const server = await startServer({ env: env() });
    expect((await post(server.url, readings)).status).toBe(201);
    for (const [, address = '', answer = ''] of examples) {
      expect([address, await (await fetch(server.url + address)).json()]).toEqual([
        address,
        JSON.parse(answer),
      ]);
    }
    await server.stop();
  });

  test('its example of a sensor with an outage has the stated numbers', async () => {
    const rows = [...docs.matchAll(/^\| (\d+:\d\d) \| (\d+) \| (\w+) \| (\d+) minutes/gm)];
    const time = (clock = '') => `2026-01-02T${clock.padStart(5, '0')}:00Z`;
    const server = await startServer();
    await post(
      server.url,
      rows.map(([, clock, co2]) => ({ created_at: time(clock), co2: Number(co2), voc: null })),
    );
    const span = `from=${time('8:00')}&to=${time('9:15')}`;
    const history = await (await fetch(`${server.url}/api/history?${span}&points=15`)).json();
    const slots = history.steps.map(({ co2 }: { co2: Record<string, number> }) => co2);
    expect(slots).toMatchObject(
      rows.map(([, , , level, minutes]) => ({ [`${level}_seconds`]: Number(minutes) * 60 })),
    );
    const summary = await (await fetch(`${server.url}/api/summary?${span}`)).json();
    const [, good, moderate, none] =
      /good for (\d+) minutes and moderate for (\d+), and for (\d+) minutes there are no readings/.exec(
        docs,
      ) ?? [];
    expect(summary.co2).toMatchObject({
      good_seconds: Number(good) * 60,
      moderate_seconds: Number(moderate) * 60,
    });
    expect(Number(good) + Number(moderate) + Number(none)).toBe(75);
    await server.stop();
  });
});
