import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IClientPublishOptions, MqttClient } from 'mqtt';
import { runningAlerts } from '../alerts/start-alerts.server';
import { getEnv } from '../config/env.server';
import type { MqttSettings } from '../config/source-settings.server';
import { SENSORS_IN_PAGE } from '../readings/known-sensors';
import type { Thresholds } from '../readings/metric';
import { sensorNow } from '../readings/now/level-now';
import { MIN_SILENT_MS, silentAfter } from '../readings/now/stale';
import type { SensorSummary } from '../readings/reading';
import { silentAfterMsFor, thresholdsFor } from '../readings/sensor-settings';
import { type BackgroundWork, startRounds } from '../room/background-rounds.server';
import { roomNow } from '../room/rooms-now.server';
import { brokerSensors } from '../sources/follow-mqtt.server';
import { homeAssistantTopics } from '../sources/home-assistant-topics.server';
import {
  addressOf,
  brokerOptions,
  clientIdOf,
  type Ending,
  keepConnected,
  LEAVE_MS,
} from '../sources/mqtt-connection.server';
import { sayChanges } from '../sources/source';
import { getSettings } from '../store/open-store.server';
import type { ReadingStore } from '../store/reading-store';
import {
  announcedIn,
  announcement,
  entitiesOf,
  isMetric,
  type SensorFacts,
  stateText,
} from './device.server';

/** The interval of looking for changes. A sensor has at most one message in it. */
const ROUND_MS = 2000;
/** Comparing this many sensors takes some milliseconds. */
const SENSORS_PER_TURN = 200;
/** Where Home Assistant says `online` after its start, whatever its discovery prefix. */
const BIRTH_TOPIC = 'homeassistant/status';
/** Announcements of other programs' devices arrive too, and are ignored. Larger ones don't arrive (MQTT 5). */
const PACKET_LIMIT = 1024 * 1024;

const RETAINED = { qos: 1, retain: true } as const;

/** A device that the broker retains for Home Assistant. */
interface Announced {
  /** The retained message; empty to send it again. */
  text: string;
  /** What the message was made from; null if another process has sent it. */
  madeFrom: string | null;
  entities: ReadonlySet<string>;
  expireAfterSeconds: number | null;
  /** The last sent state; null to send it again. */
  state: string | null;
}

/**
 * Announces each sensor as a device to Home Assistant, and sends its state when it changes. Devices of hidden, renamed and
 * deleted sensors are removed. The broker remembers what earlier processes have announced.
 */
export function announceSensors(settings: MqttSettings, store: ReadingStore): BackgroundWork {
  const topics = homeAssistantTopics(settings, store);
  const say = sayChanges(`Home Assistant by MQTT at ${addressOf(settings)}`);
  const stopping = new AbortController();
  const announced = new Map<string, Announced>();
  /** The newest readings of sensors that have sent nothing since the start; null before the first round. */
  let unheard: Map<string, string> | null = null;
  /** The client while it is connected and subscribed. */
  let ready: MqttClient | null = null;

  function use(client: MqttClient, giveUp: (why: Ending) => void): void {
    client.on('connect', () => {
      const subscriptions = [topics.status, topics.configs, BIRTH_TOPIC];
      client.subscribe(subscriptions, { qos: 1 }, (error) => {
        if (error) return giveUp({ reason: `the broker refuses the subscription: ${error.message}` });
        sendAgain();
        send(client, topics.status, 'online', RETAINED).then(
          () => {
            ready = client;
            say(`connected, announces sensors below ${settings.homeAssistant}/device`);
          },
          ({ message }: Error) => giveUp({ reason: message }),
        );
      });
    });
    client.on('message', (topic, payload, { retain }) => {
      const id = topics.deviceIn(topic);
      if (id !== null && retain) remember(id, String(payload));
      else if (topic === BIRTH_TOPIC && String(payload) === 'online') sendAgain();
      // The will of an earlier connection may arrive late, and another server with the same store may have stopped.
      else if (topic === topics.status && String(payload) === 'offline' && !stopping.signal.aborted)
        send(client, topics.status, 'online', RETAINED).catch(() => {});
    });
    client.once('close', () => {
      if (ready === client) ready = null;
    });
  }

  function sendAgain(): void {
    for (const device of announced.values()) Object.assign(device, { text: '', madeFrom: null, state: null });
  }

  function remember(id: string, text: string): void {
    const known = announced.get(id);
    if (known) known.text = text;
    else announced.set(id, { text, madeFrom: null, ...announcedIn(text), state: null });
  }

  async function round(): Promise<void> {
    const sensors = await store.sensors(SENSORS_IN_PAGE);
    unheard ??= new Map(sensors.map(({ name, newest }) => [name, newest.created_at]));
    const client = ready;
    try {
      if (client) await publish(client, sensors, unheard);
    } catch (error) {
      // The connection says why it has ended.
      if (error instanceof RefusedError) say(error.message);
      else if (client?.connected) throw error;
    }
  }

  async function publish(
    client: MqttClient,
    sensors: readonly SensorSummary[],
    unheard: Map<string, string>,
  ): Promise<void> {
    const judged = await judgements();
    const fromBroker = new Set([...brokerSensors].map((name) => getSettings().nameOf(name)));
    const kept = new Set<string>();
    for (const [i, sensor] of sensors.entries()) {
      if (i % SENSORS_PER_TURN === SENSORS_PER_TURN - 1) await nextTurn();
      if (unheard.get(sensor.name) !== sensor.newest.created_at) unheard.delete(sensor.name);
      if (sensor.is_hidden) continue;
      const id = topics.idOf(sensor.name);
      const hasValues = !fromBroker.has(sensor.name) && hadValues(id, !unheard.has(sensor.name));
      if (hasValues !== null && (await update(client, id, sensor, hasValues, judged(sensor)))) kept.add(id);
    }
    for (const id of announced.keys()) {
      if (kept.has(id)) continue;
      await send(client, topics.configOf(id), '', RETAINED);
      announced.delete(id);
    }
  }

  /**
   * Returns whether a device has its sensor's values, if they don't come from the broker as far as is known. Until the first
   * reading since the start, what was announced before holds; null if nothing was.
   */
  function hadValues(id: string, isHeard: boolean): boolean | null {
    if (isHeard) return true;
    const known = announced.get(id);
    return known ? [...known.entities].some(isMetric) : null;
  }

  /** Sends what has changed. Returns false if there is nothing to announce about a sensor. */
  async function update(
    client: MqttClient,
    id: string,
    sensor: SensorSummary,
    hasValues: boolean,
    { silentMs, isLearned, facts, thresholds }: Judged,
  ): Promise<boolean> {
    const known = announced.get(id);
    const before = [...(known?.entities ?? [])];
    const stay = (key: string) => hasValues || !isMetric(key);
    const found = entitiesOf(sensor.newest, hasValues, thresholds);
    const entities = new Set([...before.filter(stay), ...found]);
    if (entities.size === 0) return false;
    const expireAfterSeconds = expireAfter(silentMs, isLearned, known?.expireAfterSeconds ?? null);
    const madeFrom = `${expireAfterSeconds} ${[...entities]}`;
    if (!known || known.madeFrom !== madeFrom) {
      const device = {
        ...{ id, sensor: sensor.name, entities, expireAfterSeconds, publicUrl: getEnv().alerts.publicUrl },
        ...{ statusTopic: topics.status, stateTopic: topics.stateOf(id) },
      };
      const text = announcement({ ...device, removed: [] });
      const removed = before.filter((key) => !stay(key));
      if (removed.length > 0)
        await send(client, topics.configOf(id), announcement({ ...device, removed }), RETAINED);
      if (text !== known?.text) await send(client, topics.configOf(id), text, RETAINED);
      // The state follows in the next round: Home Assistant subscribes to it first.
      announced.set(id, { text, madeFrom, entities, expireAfterSeconds, state: null });
      return true;
    }
    // A message would make values available again.
    const isSilent = Date.now() - Date.parse(sensor.newest.created_at) > 1000 * expireAfterSeconds;
    const state = stateText(entities, facts());
    if (isSilent || state === known.state) return true;
    await send(client, topics.stateOf(id), state, { qos: 0 });
    known.state = state;
    return true;
  }

  const rounds = startRounds(
    { firstMs: 0, intervalMs: ROUND_MS, what: 'Home Assistant gets no news' },
    ({ share }) => share(round),
  );
  const ended = keepConnected(
    {
      options: (version) => ({
        ...brokerOptions(settings, version),
        // The same name lets the broker end an earlier connection, whose will would come after `online`.
        clientId: `${clientIdOf(settings, store)}h`,
        clean: true,
        queueQoSZero: false,
        will: { topic: topics.status, payload: Buffer.from('offline'), ...RETAINED },
        ...(version === 5 && { properties: { maximumPacketSize: PACKET_LIMIT } }),
      }),
      use,
      async settle(client) {
        if (stopping.signal.aborted && client.connected)
          await send(client, topics.status, 'offline', RETAINED).catch(() => {});
      },
    },
    say,
    stopping.signal,
  );
  return {
    async stop() {
      stopping.abort();
      const late = new Promise((resolve) => setTimeout(resolve, LEAVE_MS).unref());
      await Promise.race([Promise.all([rounds.stop(), ended]), late]);
    },
  };
}

interface Judged {
  thresholds: Thresholds;
  /** The time without a reading after which the sensor is silent; null before its first readings are judged. */
  silentMs: number | null;
  /** False if a setting says that time. */
  isLearned: boolean;
  facts(): SensorFacts;
}

/** Returns a function that judges a sensor now, by the rules of notifications (silence) and of `/metrics` (the rest). */
async function judgements(): Promise<(sensor: SensorSummary) => Judged> {
  const watched =
    (await runningAlerts()
      ?.sensors()
      .catch(() => [])) ?? [];
  const airs = new Map(watched.map(({ sensor, air }) => [sensor, air]));
  const { thresholds: server, alerts } = getEnv();
  return (sensor) => {
    const silentAfterMs = silentAfterMsFor(alerts.silentAfterMs, sensor);
    const air = airs.get(sensor.name);
    return {
      thresholds: thresholdsFor(server, sensor.thresholds),
      silentMs: air || silentAfterMs !== null ? silentAfter(air ?? {}, { silentAfterMs }) : null,
      isLearned: silentAfterMs === null,
      facts() {
        const { level, freshness } = sensorNow(sensor, server, Date.now());
        const isLive = freshness === 'live';
        const room = isLive ? roomNow(sensor.name) : null;
        return { newest: sensor.newest, isLive, level, room };
      },
    };
  };
}

/**
 * Returns the seconds after which Home Assistant shows values as unavailable: when the sensor is silent, or a little later. A
 * learned time changes with each reading, so what was announced before stays while it fits.
 */
function expireAfter(silentMs: number | null, isLearned: boolean, before: number | null): number {
  const seconds = Math.ceil((silentMs ?? MIN_SILENT_MS) / 1000);
  if (silentMs === null) return before ?? seconds;
  if (!isLearned) return seconds;
  if (before !== null && before >= seconds && before <= 2 * seconds) return before;
  return silentMs <= MIN_SILENT_MS ? seconds : Math.ceil(1.2 * seconds);
}

/** The broker doesn't let airboard publish to a topic. */
class RefusedError extends Error {}

/** Publishes and waits until the broker has it, or the system for QoS 0, so that no more than one message waits in memory. */
function send(
  client: MqttClient,
  topic: string,
  payload: string,
  options: IClientPublishOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error) => {
      client.removeListener('close', onClose);
      if (!error) resolve();
      else
        reject(
          client.connected
            ? new RefusedError(
                `the broker refuses ${topic} (${error.message}). Allow airboard to publish there`,
              )
            : error,
        );
    };
    // mqtt.js doesn't call back for a message in a full buffer of a connection that ends.
    const onClose = () => settle(new Error('the connection has ended'));
    client.once('close', onClose);
    client.publish(topic, payload, options, settle);
  });
}
