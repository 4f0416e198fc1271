import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt';
import type { MqttSettings } from '../config/source-settings.server';
import type { ReadingStore } from '../store/reading-store';

const CONNECT_MS = 10_000;
const KEEP_ALIVE_S = 30;
/** Delays between attempts to connect. A connection that lasts this long resets them. */
const FIRST_DELAY_MS = 1000;
export const LONGEST_DELAY_MS = 30_000;
/** The time that a broker gets to close the connection when the server stops. */
export const LEAVE_MS = 300;
/** The error codes of brokers without MQTT 5, from MQTT 3.1.1 and from MQTT 5. */
const OTHER_VERSION = [1, 132];

/** Why a connection ended, and the shortest wait before the next one. */
export interface Ending {
  reason: string;
  waitMs?: number;
}

/** The purpose of a connection. */
interface Purpose {
  options(version: 4 | 5): IClientOptions;
  /** Called with the client of each attempt, before it connects. */
  use(client: MqttClient, giveUp: (why: Ending) => void): void;
  /** Awaited before a connection is closed, and before the next one. */
  settle(client: MqttClient): Promise<unknown>;
}

/**
 * Keeps a connection to a broker until stopped. Each attempt gets a new client, because one of mqtt.js that reconnects may
 * answer messages of its previous connection. Uses MQTT 5, or else 3.1.1.
 *
 * @param say logs the state of the connection
 */
export async function keepConnected(
  { options, use, settle }: Purpose,
  say: (state: string) => void,
  stopping: AbortSignal,
): Promise<void> {
  let version: 4 | 5 = 5;
  let delayMs = FIRST_DELAY_MS;

  function connection(): Promise<Ending> {
    return new Promise((resolve) => {
      let ending: Ending = { reason: 'the broker has closed the connection' };
      const client = mqtt.connect(options(version));
      const giveUp = (why: Ending) => {
        ending = why;
        client.end(true);
      };
      const leave = () => void settle(client).then(() => client.end(!client.connected));
      stopping.addEventListener('abort', leave, { once: true });
      use(client, giveUp);
      client.on('error', (error) => {
        const code = 'code' in error ? error.code : undefined;
        if (version === 5 && OTHER_VERSION.includes(Number(code))) version = 4;
        giveUp({ reason: error.message || String(code) });
      });
      client.once('close', () => {
        stopping.removeEventListener('abort', leave);
        client.end(true);
        void settle(client).then(() => resolve(ending));
      });
    });
  }

  while (!stopping.aborted) {
    const startedAt = performance.now();
    const { reason, waitMs = 0 } = await connection();
    if (stopping.aborted) return;
    if (performance.now() - startedAt > LONGEST_DELAY_MS) delayMs = FIRST_DELAY_MS;
    say(`not connected: ${reason}. Trying again until it works`);
    await sleep(Math.max(delayMs, waitMs), undefined, { signal: stopping, ref: false }).catch(() => {});
    delayMs = Math.min(2 * delayMs, LONGEST_DELAY_MS);
  }
}

/** Returns the options of every connection to the broker. */
export function brokerOptions(
  { protocol, host, port, path, username, password }: MqttSettings,
  protocolVersion: 4 | 5,
): IClientOptions {
  const isWebSocket = protocol === 'ws' || protocol === 'wss';
  return {
    protocol,
    hostname: isWebSocket && host.includes(':') ? `[${host}]` : host,
    port,
    path,
    username,
    password,
    protocolVersion,
    connectTimeout: CONNECT_MS,
    keepalive: KEEP_ALIVE_S,
    reconnectPeriod: 0,
    resubscribe: false,
  };
}

/** Returns the broker's address without secrets, for the log. */
export function addressOf({ protocol, host, port }: MqttSettings): string {
  return `${protocol}://${host.includes(':') ? `[${host}]` : host}${port ? `:${port}` : ''}`;
}

/** Returns the name of this installation at the broker, the same after a restart. */
export function clientIdOf(
  { clientId }: MqttSettings,
  { description }: Pick<ReadingStore, 'description'>,
): string {
  // A random id would lose the session, and a fixed one would be taken over by another airboard.
  return clientId ?? `airboard-${shortHash(`${hostname()} ${description}`)}`;
}

export const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);
