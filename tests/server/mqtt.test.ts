import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import Database from 'libsql';
import mqtt, { type MqttClient } from 'mqtt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostOf, listen, selfSignedCertificate } from '../support/alerts/receiver';
import { AIRGRADIENT_ONE } from '../support/devices/recipes';
import { endWithRun } from '../support/own-temporary-folder';
import { post, readAll } from '../support/server/api';
import { freePort, type RunningServer, startServer, temporaryFolder } from '../support/server/server';
import { type SupabaseDouble, startSupabaseDouble } from '../support/supabase/supabase-double';
import { until } from '../support/until';

/** Debian installs mosquitto in `/usr/sbin`, which is in the PATH of root only. */
const PROGRAM = ['/usr/sbin/mosquitto', '/usr/bin/mosquitto', '/usr/local/sbin/mosquitto'].find(existsSync);

const hasMosquitto = PROGRAM !== undefined;
if (!hasMosquitto)
  console.warn('mosquitto is not installed: the tests with a real MQTT broker are left out.');

const USER = 'airboard';
/** Characters that need percent-encoding in an address. */
const PASSWORD = 'p@ss:w/rd?#1';

/** A mosquitto that keeps its sessions over restarts, with a user and a password. */
interface Broker {
  port: number;
  /** The port for MQTT over WebSocket. */
  webSocketPort: number;
  /** The port for MQTT over TLS, for `localhost`. */
  tlsPort: number;
  /** The file with its self-signed certificate. */
  certificate: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** All of its output: connections, subscriptions and messages. */
  output(): string;
}

async function startBroker(): Promise<Broker> {
  const folder = temporaryFolder();
  const port = await freePort();
  const webSocketPort = await freePort();
  const tlsPort = await freePort();
  const { key, cert } = selfSignedCertificate();
  const [keyFile, certificate] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  writeFileSync(keyFile, key);
  writeFileSync(certificate, cert);
  const passwords = join(folder, 'passwords');
  execFileSync('mosquitto_passwd', ['-c', '-b', passwords, USER, PASSWORD]);
  const config = join(folder, 'mosquitto.conf');
  writeFileSync(
    config,
    [
      // As root, it would switch to another user, who may not read this folder.
      ...['user root', 'allow_anonymous false', `password_file ${passwords}`],
      ...['persistence true', `persistence_location ${folder}/`, 'log_type all'],
      ...[`listener ${port} 127.0.0.1`, `listener ${webSocketPort} 127.0.0.1`, 'protocol websockets'],
      ...[`listener ${tlsPort} 127.0.0.1`, `keyfile ${keyFile}`, `certfile ${certificate}`, ''],
    ].join('\n'),
  );
  let child: ChildProcess | undefined;
  let printed = '';
  const broker: Broker = {
    port,
    webSocketPort,
    tlsPort,
    certificate,
    output: () => printed,
    async start() {
      const started = spawn(PROGRAM as string, ['-c', config], { stdio: ['ignore', 'pipe', 'pipe'] });
      child = started;
      endWithRun(started);
      for (const stream of [started.stdout, started.stderr]) {
        stream.setEncoding('utf8').on('data', (text) => {
          printed += text;
        });
      }
      await until(() => {
        if (started.exitCode !== null) throw new Error(`mosquitto ended:\n${printed}`);
        return accepts(port);
      });
    },
    async stop() {
      if (!child || child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
  await broker.start();
  return broker;
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}

const CREDENTIALS = `${USER}:${encodeURIComponent(PASSWORD)}@`;
/** The time of the n-th reading. */
const time = (n: number) => new Date(Date.UTC(2026, 0, 2, 10) + n * 15_000).toISOString();

describe.skipIf(!hasMosquitto)('with a broker', () => {
  let broker: Broker;
  let server: RunningServer;
  let device: MqttClient;
  /** Publishes and waits for the broker's acknowledgement. */
  const publish = (topic: string, payload: unknown, options = {}) =>
    device.publishAsync(topic, typeof payload === 'string' ? payload : JSON.stringify(payload), {
      qos: 1,
      ...options,
    });
  const stored = (sensor: string) => readAll(server.url, `?sensor=${sensor}`);

  beforeAll(async () => {
    broker = await startBroker();
    server = await startServer({
      env: { MQTT_URL: `mqtt://${CREDENTIALS}127.0.0.1:${broker.port}`, WRITE_KEY: 'correct-horse-battery' },
    });
    device = await mqtt.connectAsync(`mqtt://127.0.0.1:${broker.port}`, {
      ...{ username: USER, password: PASSWORD, protocolVersion: 4, reconnectPeriod: 50 },
    });
    await until(() => server.output().includes('readings come from airboard/+/reading'));
  });
  afterAll(async () => {
    await device.endAsync(true);
    await server.stop();
    await broker.stop();
  });

  test('stores readings and batches in order, named by the topic', async () => {
    await publish('airboard/Bedroom/reading', { co2: 415, voc: '120' }, { qos: 0 });
    await publish('airboard/Bedroom/reading', {
      co2: '416',
      voc: null,
      sensor: 'another',
      created_at: time(1),
    });
    await publish('airboard/Bedroom/reading', [
      { co2: 417, voc: 1, created_at: time(2) },
      { co2: 418, voc: 1, created_at: time(3) },
    ]);
    const readings = await until(async () => {
      const readings = await stored('Bedroom');
      return readings.length >= 4 && readings;
    });
    const byId = readings.sort((a, b) => a.id - b.id);
    expect(byId.map(({ co2, sensor }) => [co2, sensor])).toEqual([
      ...[415, 416, 417, 418].map((co2) => [co2, 'Bedroom']),
    ]);
  });

  test('stores a burst in order, each message once', async () => {
    const numbers = Array.from({ length: 100 }, (_, n) => n);
    await Promise.all(
      numbers.map((n) => publish('airboard/Burst/reading', { co2: n, voc: 1, created_at: time(n) })),
    );
    await until(async () => (await stored('Burst')).length >= numbers.length);
    const readings = await stored('Burst');
    expect(readings.sort((a, b) => a.id - b.id).map(({ co2 }) => co2)).toEqual(numbers);
  });

  test('logs once why a message is refused, and continues', async () => {
    await publish('airboard/Bad/reading', 'CO2: 415');
    await publish('airboard/Bad/reading', { CO2: 415 });
    await publish('airboard/Bad/reading', { co2: 1, voc: 1, created_at: time(1) });
    await publish('airboard/Bad/reading', { co2: 2, voc: 1, created_at: time(1) });
    await publish(`airboard/${'x'.repeat(65)}/reading`, { co2: 1, voc: 1 });
    await publish('airboard//reading', { co2: 1, voc: 1 });
    await publish('airboard/Bad/reading', '');
    await publish('airboard/Bad/reading', 'x'.repeat(20_000));
    await publish('airboard/Bad/reading', [{ co2: 'x', voc: 1 }, { voc: 'x' }]);
    await publish('airboard/Bad/reading', [
      { co2: 3, voc: 1, created_at: time(3) },
      { co2: 4, voc: 'x' },
    ]);
    await until(async () => (await stored('Bad')).length === 2);
    expect((await stored('Bad')).map(({ co2 }) => co2)).toEqual([1, 3]);
    const lines = server
      .output()
      .split('\n')
      .filter((line) => line.includes(' MQTT airboard/'));
    expect(lines.map((line) => line.slice(line.indexOf(' MQTT ') + 1))).toEqual([
      expect.stringMatching(/^MQTT airboard\/Bad\/reading 400 The body is not JSON/),
      expect.stringMatching(/400 The reading is invalid\. CO2 is unknown: send it as "co2"/),
      expect.stringMatching(/409 created_at is the time of a reading that is stored with co2 1/),
      expect.stringMatching(/^MQTT airboard\/x{65}\/reading 400 .* sensor /),
      expect.stringMatching(/^MQTT airboard\/\/reading 400 .* sensor is empty/),
      expect.stringMatching(/413 The body is over 16 KiB/),
      expect.stringMatching(/400 All 2 readings are invalid\. co2 must be a number/),
      expect.stringMatching(/200 1 refused, 1 stored\. voc must be a number/),
    ]);
    // A refused message is not a refused request.
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).not.toMatch(/^airboard_requests_refused_total\{.*\} [1-9]/m);
    expect(metrics).toMatch(/^airboard_readings_total\{outcome="refused"\} [1-9]/m);
  });

  test('ignores a retained message without a time, and stores one with a time once', async () => {
    await publish('airboard/Old/reading', { co2: 1, voc: 1 }, { retain: true });
    await publish('airboard/Dated/reading', { co2: 2, voc: 1, created_at: time(1) }, { retain: true });
    await until(async () => (await stored('Dated')).length === 1);
    expect(await stored('Old')).toHaveLength(1);
    await server.stop();
    server = await server.restart();
    await until(() => server.output().includes('created_at is missing in a retained message'));
    await publish('airboard/Dated/reading', { co2: 3, voc: 1, created_at: time(2) });
    await until(async () => (await stored('Dated')).length > 1);
    expect((await stored('Dated')).map(({ co2 }) => co2)).toEqual([2, 3]);
    expect(await stored('Old')).toHaveLength(1);
    for (const name of ['Old', 'Dated']) await publish(`airboard/${name}/reading`, '', { retain: true });
  });

  test('neither loses nor repeats a message while the server is down and while the broker restarts', async () => {
    const numbers: number[] = [];
    const send = async (from: number, to: number) => {
      for (let n = from; n < to; n++) {
        numbers.push(n);
        await publish('airboard/Kept/reading', { co2: n, voc: 1, created_at: time(n) });
      }
    };
    await send(0, 5);
    await server.stop();
    await send(5, 10);
    server = await server.restart();
    await send(10, 15);
    await until(async () => (await stored('Kept')).length >= 15);
    await broker.stop();
    await until(() => server.output().includes('not connected'));
    await broker.start();
    await send(15, 20);
    await until(async () => (await stored('Kept')).length >= 20);
    const readings = await stored('Kept');
    expect(readings.map(({ co2 }) => co2)).toEqual(numbers);
    expect(readings.map(({ id }) => id)).toEqual(readings.map(({ id }) => id).sort((a, b) => a - b));
  });

  test('acknowledges a message only after storing it: one that arrives while the file is locked arrives again', async () => {
    const other = new Database(server.databasePath);
    other.exec('pragma busy_timeout = 5000; begin immediate');
    for (const n of [1, 2, 3]) {
      await publish('airboard/Locked/reading', { co2: n, voc: 1, created_at: time(n) });
    }
    await until(() => server.output().includes("readings can't be stored"));
    expect(await stored('Locked')).toEqual([]);
    other.exec('rollback');
    other.close();
    await until(async () => (await stored('Locked')).length === 3);
    const readings = await stored('Locked');
    expect(readings.map(({ co2 }) => co2)).toEqual([1, 2, 3]);
    expect(readings.map(({ id }) => id)).toEqual(readings.map(({ id }) => id).sort((a, b) => a - b));
  });

  test('connects by TLS and WebSocket, stores in Supabase too, and reports errors without secrets', async () => {
    const double: SupabaseDouble = await startSupabaseDouble();
    const topic = { MQTT_TOPIC: 'home/air/+' };
    const tls = { ...topic, MQTT_URL: `mqtts://${CREDENTIALS}localhost:${broker.tlsPort}` };
    const webSocket = { ...topic, MQTT_URL: `ws://${CREDENTIALS}127.0.0.1:${broker.webSocketPort}/mqtt` };
    const [wrong, hosted, vouched, unknown] = await Promise.all([
      startServer({ env: { MQTT_URL: `mqtt://airboard:hunter2hunter2@127.0.0.1:${broker.port}` } }),
      startServer({ env: { ...double.env, ...webSocket } }),
      startServer({ env: { ...tls, NODE_EXTRA_CA_CERTS: broker.certificate } }),
      startServer({ env: tls }),
    ]);
    for (const { output } of [hosted, vouched]) {
      await until(() => output().includes('readings come from home/air/+'));
    }
    await until(() => /not connected: self.signed certificate/.test(unknown.output()));
    await publish('home/air/Attic', { co2: 500, voc: 1, created_at: time(1) });
    for (const { url } of [hosted, vouched]) {
      await until(async () => (await readAll(url, '?sensor=Attic')).length === 1);
    }
    await until(() => wrong.output().includes('not connected: Connection refused'));
    for (const { output } of [wrong, hosted, vouched, unknown, server]) {
      for (const secret of ['hunter2', PASSWORD, encodeURIComponent(PASSWORD)]) {
        expect(output()).not.toContain(secret);
      }
    }
    expect((await post(wrong.url, { co2: 415, voc: 120 })).status).toBe(201);
    const ends = [wrong, hosted, vouched, unknown].map(({ stop }) => stop());
    expect(await Promise.all(ends)).toEqual([0, 0, 0, 0]);
    await double.stop();
  });

  describe('messages of other programs', () => {
    const TOPICS = {
      MQTT_TOPIC: 'zigbee2mqtt/+  tele/+/SENSOR +/sensor/+/state airboard/+/reading airgradient/readings/+',
    };
    let other: RunningServer;
    const readings = (sensor: string) => readAll(other.url, `?sensor=${sensor}`);
    const logged = () =>
      other
        .output()
        .split('\n')
        .filter((line) => line.includes(' MQTT zigbee2mqtt/'));
    /** Returns once the server has received all earlier messages. */
    async function settled(n: number) {
      await publish('airboard/Last/reading', { co2: n, voc: 1, created_at: time(n) });
      await until(async () => (await readings('Last')).some(({ co2 }) => co2 === n));
    }

    beforeAll(async () => {
      other = await startServer({
        env: { ...TOPICS, MQTT_URL: `mqtt://${CREDENTIALS}127.0.0.1:${broker.port}?clientId=other` },
      });
      await until(() => other.output().includes('readings come from zigbee2mqtt/+ and tele/+/SENSOR'));
    });
    afterAll(() => other.stop());

    test('stores what an AirGradient monitor publishes under its serial number', async () => {
      await publish('airgradient/readings/ecda3b1eaaaf', { ...AIRGRADIENT_ONE, serialno: 'ecda3b1eaaaf' });
      await settled(0);
      expect(await readings('ecda3b1eaaaf')).toMatchObject([{ co2: 447, voc_index: 100, pm25: 6 }]);
    });

    test('stores a reading of a Zigbee device, and logs a lamp once, not as a refused reading', async () => {
      const air = { display_unit: 'ppb_celsius', humidity: 42.04, linkquality: 109, pm25: null };
      await publish('zigbee2mqtt/Lamp', { state: 'ON', brightness: 80, linkquality: 120 });
      await publish(
        'zigbee2mqtt/Air',
        { ...air, last_seen: time(1), temperature: 20.67, voc: 215 },
        { retain: true },
      );
      await publish('zigbee2mqtt/Lamp', { state: 'OFF', brightness: 80, linkquality: 120 });
      await publish('zigbee2mqtt/Air', 'offline');
      await publish('zigbee2mqtt/Air', 'on and off');
      // Zigbee2MQTT sends the last state again at its start.
      await publish('zigbee2mqtt/Air', { ...air, last_seen: time(1), temperature: 20.67, voc: 215 });
      // Another state within the same second.
      await publish('zigbee2mqtt/Air', { ...air, last_seen: time(1), temperature: 20.7, voc: 215 });
      await settled(1);
      expect(await readings('Air')).toEqual([
        expect.objectContaining({
          ...{ co2: null, voc: 215, temperature: 20.67, humidity: 42.04, sensor: 'Air', created_at: time(1) },
        }),
        expect.objectContaining({ voc: 215, temperature: 20.7, created_at: time(1).replace('000Z', '001Z') }),
      ]);
      expect((await readings('Air'))[0]).not.toHaveProperty('pm25');
      expect(await readings('Lamp')).toEqual([]);
      expect(logged().map((line) => line.slice(line.indexOf(' MQTT ') + 1))).toEqual([
        'MQTT zigbee2mqtt/Lamp 400 has no metric that airboard keeps',
        'MQTT zigbee2mqtt/Air 400 is not JSON',
      ]);
      const metrics = await (await fetch(`${other.url}/metrics`)).text();
      expect(metrics).toContain('airboard_readings_total{outcome="refused"} 0');
    });

    test('stores the sensors of Tasmota as one reading, in °C and hPa', async () => {
      await publish('tele/kitchen/SENSOR', {
        ...{ Time: '2026-11-24T12:00:00', SCD40: { CarbonDioxide: 612, Temperature: 79, Humidity: 38 } },
        ...{ SGP41: { VOC_Raw: 30123, NOX_Raw: 15012, TVOC: 104, NOx: 1 }, TempUnit: 'F' },
        ...{ BME280: { Temperature: 71.6, Humidity: 44, Pressure: 29.53 }, PressureUnit: 'inHg' },
      });
      await settled(2);
      expect(await readings('kitchen')).toEqual([
        expect.objectContaining({
          ...{ co2: 612, voc: null, voc_index: 104, nox_index: 1, temperature: 22, humidity: 44 },
          pressure: 1000,
        }),
      ]);
    });

    test('stores the numbers of ESPHome as one reading, without nan and retained ones, even when the server stops', async () => {
      await publish('office/sensor/scd41_co2/state', '612', { retain: true });
      await publish('office/sensor/scd41_temperature/state', '21.53', { retain: true });
      await publish('office/sensor/voc_index/state', 'nan', { retain: true });
      await publish('office/sensor/wifi_signal/state', '-60', { retain: true });
      await settled(3);
      expect(await readings('office')).toEqual([]);
      await other.stop();
      other = await other.restart();
      await until(() => other.output().includes('office/sensor/scd41_co2/state 400 is retained'));
      expect(await readings('office')).toEqual([
        expect.objectContaining({ co2: 612, voc: null, temperature: 21.53 }),
      ]);
      await publish('office/sensor/scd41_co2/state', '613');
      await until(async () => (await readings('office')).length === 2);
      const names = ['scd41_co2', 'scd41_temperature', 'voc_index', 'wifi_signal'];
      for (const name of names) await publish(`office/sensor/${name}/state`, '', { retain: true });
    });

    test('numbers wait in the server while the file is locked', async () => {
      const locking = new Database(other.databasePath);
      locking.exec('pragma busy_timeout = 5000; begin immediate');
      await publish('attic/sensor/co2/state', '700');
      await publish('attic/sensor/humidity/state', '40');
      await until(() => other.output().includes('MQTT attic/sensor 503'));
      locking.exec('rollback');
      locking.close();
      await until(async () => (await readings('attic')).length === 1);
      expect(await readings('attic')).toEqual([
        expect.objectContaining({ co2: 700, voc: null, humidity: 40 }),
      ]);
    });

    test('ignores messages of an earlier subscription', async () => {
      await other.stop();
      const env = { MQTT_URL: `mqtt://${CREDENTIALS}127.0.0.1:${broker.port}?clientId=other` };
      await publish('zigbee2mqtt/Late', { co2: 500 });
      other = await startServer({ env: { ...env, MQTT_TOPIC: 'airboard/+/reading' } });
      await publish('zigbee2mqtt/Late', { co2: 501 });
      await settled(4);
      expect(await readings('Late')).toEqual([]);
    });
  });

  test('disconnects cleanly when the server stops', async () => {
    const before = broker.output().length;
    expect(await server.stop()).toBe(0);
    await until(() => /Received DISCONNECT from airboard-/.test(broker.output().slice(before)));
  });
});

test('uses MQTT 3.1.1 with a broker that lacks MQTT 5', async () => {
  const versions: number[] = [];
  const old = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (packet) => {
      // The protocol level follows the name: 2 bytes of header, 2 of length, 4 of "MQTT" (MQTT 3.1.1, section 3.1).
      const level = packet[8] as number;
      versions.push(level);
      if (level !== 4) return socket.end(Buffer.of(0x20, 2, 0, 1));
      socket.write(Buffer.of(0x20, 2, 0, 0));
      socket.once('data', (subscribe) => {
        socket.write(Buffer.of(0x90, 3, subscribe[2] as number, subscribe[3] as number, 1));
        const topic = Buffer.from('airboard/Old/reading');
        const payload = Buffer.from('{"co2": 415, "voc": 120}');
        const head = Buffer.of(0x30, 2 + topic.length + payload.length, 0, topic.length);
        socket.write(Buffer.concat([head, topic, payload]));
      });
    });
  });
  await listen(old);
  const server = await startServer({ env: { MQTT_URL: `mqtt://${hostOf(old)}` } });
  await until(async () => (await readAll(server.url, '?sensor=Old')).length > 0);
  expect(versions).toEqual([5, 4]);
  await server.stop();
  old.close();
});
