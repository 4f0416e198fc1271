import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import type { MqttSettings } from '../../app/config/source-settings.server';
import type { Source } from '../../app/sources/source';
import type { ReadingStore } from '../../app/store/reading-store';
import { listen } from '../support/alerts/receiver';
import { until } from '../support/until';

Object.assign(process.env, { WRITE_KEY: '', ALLOWED_ORIGINS: '', SUPABASE_URL: '' });
const { followMqtt } = await import('../../app/sources/follow-mqtt.server');

const MIB = 1024 * 1024;
const TOPIC = 'airboard/Bedroom/reading';

let broker: Server;
let versions: number[];
/** Called with the connection once it is subscribed. */
let publish: (socket: Socket) => Promise<void>;
let source: Source | undefined;
let print: MockInstance<typeof console.log>;
const lines = () =>
  print.mock.calls
    .map(([line]) => String(line))
    .filter((line) => line.includes(' MQTT at '))
    .map((line) => line.replace(/^.* MQTT at \S+ /, ''));

/** A broker that speaks only MQTT 3.1.1, which has no maximum packet size. */
function answer(socket: Socket): void {
  socket.on('error', () => {});
  socket.once('data', (connect) => {
    // The protocol level follows the name: 2 bytes of header, 2 of length, 4 of "MQTT" (MQTT 3.1.1, section 3.1).
    const level = connect[8] as number;
    versions.push(level);
    if (level !== 4) return socket.end(Buffer.of(0x20, 2, 0, 1));
    socket.write(Buffer.of(0x20, 2, 0, 0));
    socket.once('data', (subscribe) => {
      socket.write(Buffer.of(0x90, 3, subscribe[2] as number, subscribe[3] as number, 1));
      publish(socket).catch(() => {});
    });
  });
}

/** Returns the first bytes of a QoS 0 message, up to its payload. */
function head(payloadBytes: number): Buffer {
  const bytes = [0x30];
  let rest = 2 + TOPIC.length + payloadBytes;
  // 7 bits at a time, the lowest first (section 2.2.3).
  for (; rest > 127; rest >>= 7) bytes.push((rest & 127) | 128);
  return Buffer.concat([Buffer.of(...bytes, rest, 0, TOPIC.length), Buffer.from(TOPIC)]);
}

beforeEach(async () => {
  versions = [];
  print = vi.spyOn(console, 'log').mockImplementation(() => {});
  broker = createServer(answer);
  await listen(broker);
});

afterEach(async () => {
  await source?.stop();
  print.mockRestore();
  await new Promise((resolve) => broker.close(resolve));
});

test('disconnects from a broker that sends 230 MB in one message, but not in messages of 9 MiB', async () => {
  let accepted = 0;
  publish = async (socket) => {
    const send = async (bytes: Buffer) => {
      if (!socket.write(bytes)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
    };
    for (let count = 0; count < 3; count++) await send(Buffer.concat([head(9 * MIB), Buffer.alloc(9 * MIB)]));
    await send(head(230_000_000));
    for (; accepted < 230_000_000 && !socket.destroyed; accepted += MIB) await send(Buffer.alloc(MIB));
  };
  const { port } = broker.address() as { port: number };
  const settings: MqttSettings = {
    protocol: 'mqtt',
    host: '127.0.0.1',
    port,
    topics: ['airboard/+/reading'],
    names: new Map(),
    homeAssistant: null,
  };
  source = followMqtt(settings, { description: 'a store' } as ReadingStore);
  await until(() => lines().some((line) => line.includes('a message over')));
  expect(versions).toEqual([5, 4]);
  // Both sockets have buffers.
  expect(accepted).toBeLessThan(40 * MIB);
  expect(lines().slice(1)).toEqual([
    'connected, readings come from airboard/+/reading',
    expect.stringMatching(/^not connected: the broker sends a message over 16\.\d+ MiB\. Remove it there/),
  ]);
});
