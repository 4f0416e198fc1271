import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shortHash } from '../../app/sources/mqtt-connection.server';
import { discoveryFaults } from '../support/home-assistant/discovery-rules';
import { type MqttBroker, startMqttBroker } from '../support/home-assistant/mqtt-broker';
import { post } from '../support/server/api';
import { type RunningServer, startServer } from '../support/server/server';
import { until } from '../support/until';

/** Filters that select what this installation publishes. */
const OWN_TOPICS = `airboard/${shortHash('office')}/+/state homeassistant/device/+/config`;

let broker: MqttBroker;
let server: RunningServer;

beforeAll(async () => {
  broker = await startMqttBroker();
  server = await startServer({
    env: {
      ...{ MQTT_URL: `mqtt://127.0.0.1:${broker.port}?clientId=office`, HOME_ASSISTANT: 'true' },
      MQTT_TOPIC: `airboard/+/reading +/sensor/+/state ${OWN_TOPICS}`,
    },
  });
  await isConnected();
});
afterAll(async () => {
  await server.stop();
  await broker.stop();
});

const isConnected = () => until(() => /Home Assistant by MQTT at \S+ connected/.test(server.output()));

interface Device {
  id: string;
  topic: string;
  text: string;
  stateTopic: string;
  statusTopic: string;
  components: Record<string, Record<string, unknown>>;
}

/** Returns the device that the broker retains of a sensor, after checking it; undefined without one. */
function deviceOf(sensor: string): Device | undefined {
  for (const [topic, text] of broker.retained) {
    if (!topic.endsWith('/config') || JSON.parse(text).device.name !== sensor) continue;
    expect(discoveryFaults(topic, text)).toEqual([]);
    const { device, state_topic: stateTopic, availability_topic: statusTopic, components } = JSON.parse(text);
    return { id: device.identifiers[0], topic, text, stateTopic, statusTopic, components };
  }
}
const announcedDevice = (sensor: string) => until(() => deviceOf(sensor));

/** The states of a device, oldest first. */
const statesOf = ({ stateTopic }: Device) =>
  broker.messages.filter(({ topic }) => topic === stateTopic).map(({ payload }) => JSON.parse(payload));
const newestState = (device: Device) => until(() => statesOf(device).at(-1));

/** Posts a reading with the server's time. */
async function postReading(reading: Record<string, unknown>): Promise<void> {
  expect((await post(server.url, { voc: null, ...reading })).status).toBe(201);
}

const settle = (sensor: string, settings: unknown) =>
  fetch(`${server.url}/api/sensors?sensor=${encodeURIComponent(sensor)}`, {
    method: 'PATCH',
    body: JSON.stringify(settings),
  });

const sensorNames = async (): Promise<string[]> =>
  (await (await fetch(`${server.url}/api/sensors`)).json()).map(
    ({ sensor, name }: Record<string, string>) => sensor ?? name,
  );

test('announces a sensor, retained, and then sends its values and its level, not retained', async () => {
  await postReading({ sensor: 'Küche', co2: 1480, temperature: 21.5 });
  const device = await announcedDevice('Küche');
  expect(Object.keys(device.components)).toEqual([
    ...['co2', 'temperature', 'level', 'air_changes', 'airing', 'minutes_left', 'enough'],
  ]);
  expect(await newestState(device)).toMatchObject({ co2: 1480, temperature: 21.5, level: 'moderate' });
  expect(broker.retained.has(device.stateTopic)).toBe(false);
  expect(broker.retained.get(device.statusTopic)).toBe('online');
  await postReading({ sensor: 'Küche', co2: 640, temperature: 21.5, humidity: 44 });
  await until(() => statesOf(device).at(-1)?.humidity === 44);
  expect(statesOf(device).at(-1)).toMatchObject({ co2: 640, level: 'good', humidity: 44 });
  expect(deviceOf('Küche')?.components).toHaveProperty('humidity');
});

test('names that look alike or have no letters have devices of their own', async () => {
  const names = ['Kuche', 'kuche', '日本 #+/', '_', ''];
  for (const sensor of names) await postReading({ ...(sensor && { sensor }), co2: 500 });
  const devices = await Promise.all(names.map((name) => announcedDevice(name || 'Unnamed sensor')));
  expect(new Set(devices.map(({ id }) => id)).size).toBe(names.length);
});

test('a sensor of the same broker gets only its judgements, and its values go if they were announced', async () => {
  await broker.publish('airboard/Zigbee/reading', JSON.stringify({ co2: 2100 }));
  const device = await announcedDevice('Zigbee');
  const judgements = ['level', 'air_changes', 'airing', 'minutes_left', 'enough'];
  expect(Object.keys(device.components)).toEqual(judgements);
  const { at, ...state } = await newestState(device);
  expect(state).toEqual({ level: 'poor', air_changes: null, airing: null, minutes_left: null, enough: null });

  await postReading({ sensor: 'Moved', co2: 500 });
  const moved = await announcedDevice('Moved');
  await broker.publish('airboard/Moved/reading', JSON.stringify({ co2: 510 }));
  await until(() => !deviceOf('Moved')?.components.co2);
  const [before] = broker.messages.filter(
    ({ topic, payload }) => topic === moved.topic && !payload.includes('"CO2"'),
  );
  // Home Assistant removes an entity of which only the platform is left.
  expect(JSON.parse(before?.payload ?? '').components.co2).toEqual({ platform: 'sensor' });
});

test("stores nothing of what it publishes, nor what Home Assistant's Statestream makes of it", async () => {
  await broker.publish('homeassistant/sensor/kuche_co2/state', '500');
  await broker.publish('homeassistant/sensor/moved_level/state', 'good');
  await broker.publish('Office/sensor/co2/state', '612');
  await until(async () => (await sensorNames()).includes('Office'));
  expect((await sensorNames()).sort()).toEqual(
    ['', 'Kuche', 'Küche', 'Moved', 'Office', 'Zigbee', '_', 'kuche', '日本 #+/'].sort(),
  );
  const lines = server
    .output()
    .split('\n')
    .filter((line) => line.includes('Statestream'));
  expect(lines).toEqual([
    expect.stringMatching(/\+\/sensor\/\+\/state 400 of Home Assistant's Statestream isn't taken/),
  ]);
});

test('a hidden, renamed or deleted sensor leaves no device', async () => {
  for (const sensor of ['Hidden', 'Before', 'Deleted']) await postReading({ sensor, co2: 500 });
  const devices = await Promise.all(['Hidden', 'Before', 'Deleted'].map(announcedDevice));
  await settle('Hidden', { is_hidden: true });
  await settle('Before', { name: 'After' });
  await fetch(`${server.url}/api/data?sensor=Deleted`, { method: 'DELETE' });
  for (const { topic } of devices) await until(() => !broker.retained.has(topic));
  await announcedDevice('After');
  await settle('Hidden', { is_hidden: false });
  await announcedDevice('Hidden');
});

test("values expire after the sensor's own silent time, and an old reading has no state", async () => {
  await postReading({ sensor: 'Slow', co2: 500 });
  expect((await announcedDevice('Slow')).components.co2?.expire_after).toBe(900);
  await settle('Slow', { silent_after_seconds: 7200 });
  await until(() => deviceOf('Slow')?.components.co2?.expire_after === 7200);
  const hour = 3_600_000;
  await postReading({ sensor: 'Stale', co2: 500, created_at: new Date(Date.now() - hour).toISOString() });
  const stale = await announcedDevice('Stale');
  // It was announced last, so a later state of another sensor shows that it had its turn.
  const slow = await announcedDevice('Slow');
  const count = statesOf(slow).length;
  await postReading({ sensor: 'Slow', co2: 501 });
  await until(() => statesOf(slow).length > count);
  expect(statesOf(stale)).toEqual([]);
  // It isn't silent yet, but too old to describe the air.
  await settle('Stale', { silent_after_seconds: 7200 });
  expect(await newestState(stale)).toMatchObject({ co2: null, level: null });
});

test('announces everything again when Home Assistant starts', async () => {
  const device = await announcedDevice('Küche');
  const count = () => broker.messages.filter(({ topic }) => topic === device.topic).length;
  const [announcements, states] = [count(), statesOf(device).length];
  await broker.publish('homeassistant/status', 'online');
  await until(() => count() > announcements && statesOf(device).length > states);
  expect(statesOf(device).at(-1)).toMatchObject({ co2: 640 });
});

test('a crash makes all unavailable; the next process knows what was announced, and removes what is gone', async () => {
  const [kept, gone] = await Promise.all([announcedDevice('Küche'), announcedDevice('Moved')]);
  await server.stop('SIGKILL');
  await until(() => broker.retained.get(kept.statusTopic) === 'offline');
  const env = { ...process.env, DATABASE_PATH: server.databasePath };
  execFileSync(process.execPath, ['scripts/rename.js', 'Moved', 'Elsewhere'], { env });
  const before = broker.messages.length;
  server = await server.restart();
  await until(() => !broker.retained.has(gone.topic));
  expect(broker.retained.get(kept.statusTopic)).toBe('online');
  await postReading({ sensor: 'Küche', co2: 655, temperature: 21.5 });
  await until(() => statesOf(kept).at(-1)?.co2 === 655);
  // Nothing has changed about these devices. The sensor of the broker still has only its judgements.
  expect(broker.messages.slice(before).filter(({ topic }) => topic === kept.topic)).toEqual([]);
  expect(deviceOf('Zigbee')?.components).not.toHaveProperty('co2');
});

test('without the broker, posts are stored; a broker that has forgotten all gets it again', async () => {
  const { port } = broker;
  await broker.stop();
  await postReading({ sensor: 'Küche', co2: 701, temperature: 21.5 });
  broker = await startMqttBroker(port);
  const device = await announcedDevice('Küche');
  expect(await newestState(device)).toMatchObject({ co2: 701 });
  await until(() => deviceOf('Zigbee'));
});

test('says offline when the server stops', async () => {
  const { statusTopic } = await announcedDevice('Küche');
  expect(await server.stop()).toBe(0);
  await until(() => broker.retained.get(statusTopic) === 'offline');
});
