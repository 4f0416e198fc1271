import { setTimeout as sleep } from 'node:timers/promises';
import type { IClientOptions, MqttClient } from 'mqtt';
import { singleton } from '../config/singleton.server';
import { isEspHomeTopic, type MqttSettings } from '../config/source-settings.server';
import type { ApiRequest, Refusal, WriteAnswer } from '../http/answer';
import { logError, logRefused } from '../http/guard/refusal-log.server';
import { isFinal, storeReading, takePost } from '../ingest/take-post.server';
import { dropOldest } from '../readings/drop-oldest';
import { reasonInOneLine } from '../readings/field-error';
import { type ReadingInput, sensorOf } from '../readings/reading';
import type { ReadingStore } from '../store/reading-store';
import { homeAssistantTopics } from './home-assistant-topics.server';
import { joinNumbers } from './join-numbers.server';
import {
  addressOf,
  brokerOptions,
  clientIdOf,
  type Ending,
  keepConnected,
  LEAVE_MS,
  LONGEST_DELAY_MS,
  shortHash,
} from './mqtt-connection.server';
import { isStatestream, type MqttMessage, matchesTopic, RETAINED, readMessage } from './mqtt-formats.server';
import { nodeRooms } from './node-rooms.server';
import { type Source, sayChanges } from './source';

/** A broker keeps messages for this long while the server is disconnected (MQTT 5). */
const SESSION_SECONDS = 7 * 86_400;
/**
 * The largest packet that a broker may send (MQTT 5), four times the largest batch: a message in between is refused, and
 * the log says why.
 */
const PACKET_LIMIT = 8 * 1024 * 1024 + 64 * 1024;
/**
 * The most received bytes without a complete packet. A broker may ignore `PACKET_LIMIT`: MQTT 3.1.1 allows packets of
 * up to 256 MB, and the client keeps a whole packet in memory. Messages between the two limits are refused like any
 * other, and only once.
 */
const UNFINISHED_LIMIT = 2 * PACKET_LIMIT;
const TOO_LARGE = `the broker sends a message over ${UNFINISHED_LIMIT / 2 ** 20} MiB. Remove it there, or the broker may send it again`;
/** The most unacknowledged messages that a broker may have sent (MQTT 5). */
const UNANSWERED = 20;
const CHOOSE = 'To take this one, name the topics in MQTT_TOPIC without a + for the metric';

/** Put before the reason for a refusal of another topic than airboard's, whose owner may have meant another format. */
const OWN_FORMAT = "Read in airboard's own format. ";
const OWN_TOPIC = /^airboard\//;

/** The most logged reasons to remember. */
const MOST_LOGGED = 1000;
/**
 * For `POSTS_PER_MINUTE`, all messages count as posts of one client. A message whose time is ahead doesn't wait, because those
 * of all other sensors would wait behind it.
 */
const DEVICE = { header: () => null, address: () => 'mqtt', ifAhead: 'now' } as const;

const STATESTREAM_TAKEN =
  "of Home Assistant's Statestream isn't taken while HOME_ASSISTANT=true: airboard would store its own values again";

/** The most names to remember: those of `MAX_SENSORS` and their former names. */
const MOST_NAMES = 10_000;

/** The sensors, by their current or former names, whose readings have come from the broker since the start. */
export const brokerSensors = singleton('broker-sensors', () => new Set<string>());

/**
 * Takes readings from an MQTT broker, one message after another. Acknowledges a message once it is stored or can never
 * be accepted. While the store can't be used, the client disconnects: the broker keeps unacknowledged messages and
 * sends them again in order.
 */
export function followMqtt(settings: MqttSettings, given: ReadingStore): Source {
  const { topics, names } = settings;
  const store = withNotedSensors(given);
  const announced = settings.homeAssistant === null ? null : homeAssistantTopics(settings, store);
  const say = sayChanges(`MQTT at ${addressOf(settings)}`);
  const stopping = new AbortController();
  let storing: Promise<unknown> = Promise.resolve();
  const numbers = joinNumbers(async (reading) => {
    const topic = `${reading.sensor}/sensor`;
    const refusal = settle(topic, await storeReading(store, DEVICE, reading));
    if (refusal) logOnce(topic, refusal.detail, refusal.status);
    return refusal;
  });
  const states = withLaterTimes(store);
  const rooms = nodeRooms();
  const logged = new Set<string>();

  function follow(client: MqttClient, giveUp: (why: Ending) => void): void {
    client.handleMessage = (packet, acknowledge) => {
      if (stopping.signal.aborted) return;
      storing = takeMessage(packet).then(
        (refusal) => {
          if (!refusal) return client.connected && acknowledge();
          const waitMs = Number(refusal.headers?.['Retry-After']) * 1000 || 0;
          giveUp({ reason: `readings can't be stored. ${refusal.detail.replace(/\.$/, '')}`, waitMs });
        },
        (error) => {
          logError(error);
          giveUp({ reason: 'unexpected error', waitMs: LONGEST_DELAY_MS });
        },
      );
    };
    client.on('connect', () => {
      client.subscribe(topics, { qos: 1 }, (error) => {
        const names = topics.join(' and ');
        if (error) giveUp({ reason: `the broker refuses the subscription to ${names}: ${error.message}` });
        else say(`connected, readings come from ${names}`);
      });
    });
    let unfinishedBytes = 0;
    client.on('packetreceive', () => {
      unfinishedBytes = 0;
    });
    client.stream.on('data', (bytes: Buffer) => {
      unfinishedBytes += bytes.length;
      if (unfinishedBytes <= UNFINISHED_LIMIT) return;
      giveUp({ reason: TOO_LARGE, waitMs: LONGEST_DELAY_MS });
    });
  }

  /** Stores a message. Returns a refusal if the broker has to send it again, else null. */
  async function takeMessage({ topic, payload, retain }: Message): Promise<Refusal | null> {
    // Ignores topics that the session still has from an earlier setting, and empty messages, which remove a retained
    // one.
    const filter = topics.find((each) => matchesTopic(each, topic));
    if (filter === undefined || payload.length === 0 || announced?.isOwn(topic)) return null;
    if (announced && isEspHomeTopic(filter) && isStatestream(topic)) {
      logOnce(filter, STATESTREAM_TAKEN);
      return null;
    }
    const message = readMessage(filter, topic, payload, retain, names);
    switch (message.kind) {
      case 'ignored':
        if (message.reason) logOnce(topic, message.reason);
        return null;
      case 'number':
        addNumber(topic, message);
        return null;
      case 'reading':
        for (const remark of message.remarks) logOnce(topic, remark);
        return settle(topic, await storeReading(states, DEVICE, message.value));
      case 'post': {
        const bytes = Buffer.from(payload);
        const body: ApiRequest['body'] = async (take) => take(bytes) || true;
        const { translate } = message;
        // With the server's time, a retained message would be stored again with every subscription.
        const format = OWN_TOPIC.test(topic) ? '' : OWN_FORMAT;
        const ifAhead = retain ? 'refused' : 'now';
        return settle(topic, await takePost(store, { ...DEVICE, body, translate, ifAhead }), format);
      }
    }
  }

  /** Joins a number with others, unless it is of another room or time. */
  function addNumber(
    topic: string,
    { isRetained, place, ...number }: MqttMessage & { kind: 'number' },
  ): void {
    const { sensor, name, field } = number;
    if (rooms.note(sensor, field, place)) {
      const advice = `To take it, set MQTT_NAMES=${sensor}/${name}=${place}/${field}`;
      logOnce(topic, `is of one of several rooms of "${sensor}", which one reading can't have. ${advice}`);
    } else if (isRetained) logOnce(topic, RETAINED);
    else {
      const other = numbers.add(number);
      if (other) logOnce(topic, `is ignored, because ${field} comes from "${other}". ${CHOOSE}`);
    }
  }

  /** Logs a reason for a final refusal. Returns the answer if the message has to be repeated, else null. */
  function settle(topic: string, answer: WriteAnswer, format = ''): Refusal | null {
    if (!answer.ok && !isFinal(answer) && answer.status !== 413) return answer;
    const reason = answer.ok ? answer.detail : format + reasonInOneLine(answer);
    if (reason) logOnce(topic, reason, answer.status);
    return null;
  }

  /**
   * Logs why a message isn't stored. Logs each reason once for a topic, because its next messages are likely to have
   * the same fault.
   */
  function logOnce(topic: string, reason: string, status = 400): void {
    const key = shortHash(`${topic} ${reason}`);
    if (logged.has(key)) return;
    logged.add(key);
    dropOldest(logged, MOST_LOGGED);
    logRefused({ method: 'MQTT', url: topic }, status, reason);
  }

  const ended = keepConnected(
    {
      options: (version) => sessionOptions(settings, store, version),
      use: follow,
      // The broker repeats unacknowledged messages in order. Waiting keeps a repetition from overlapping with the first
      // attempt.
      settle: () => storing,
    },
    say,
    stopping.signal,
  );
  return {
    async stop() {
      stopping.abort();
      await storing;
      await numbers.stop();
      await Promise.race([ended, sleep(LEAVE_MS, undefined, { ref: false })]);
    },
  };
}

/** The most states of a device within a second. */
const MOST_AT_ONCE = 20;

/**
 * Returns a store for states of devices, whose times may be in whole seconds. A second state at the same time is stored a
 * millisecond later, so that it isn't lost, and a repeated one is still found to be stored already.
 */
function withLaterTimes(store: ReadingStore): Pick<ReadingStore, 'insert'> {
  return {
    async insert(reading) {
      let inserted = await store.insert(reading);
      for (let count = 1; count < MOST_AT_ONCE && inserted.outcome === 'conflict'; count += 1) {
        const created_at = new Date(Date.parse(String(reading.created_at)) + count).toISOString();
        inserted = await store.insert({ ...reading, created_at });
      }
      return inserted;
    },
  };
}

/** Returns a store that adds the sensors of its readings to `brokerSensors`. */
function withNotedSensors(store: ReadingStore): ReadingStore {
  const note = (reading: ReadingInput) => {
    brokerSensors.add(sensorOf(reading));
    dropOldest(brokerSensors, MOST_NAMES);
  };
  return {
    ...store,
    insert(reading) {
      note(reading);
      return store.insert(reading);
    },
    insertAll(readings) {
      for (const reading of readings) note(reading);
      return store.insertAll(readings);
    },
  };
}

interface Message {
  topic: string;
  payload: Buffer | string;
  retain: boolean;
}

function sessionOptions(settings: MqttSettings, store: ReadingStore, version: 4 | 5): IClientOptions {
  return {
    ...brokerOptions(settings, version),
    clientId: clientIdOf(settings, store),
    clean: false,
    properties:
      version === 5
        ? {
            sessionExpiryInterval: SESSION_SECONDS,
            receiveMaximum: UNANSWERED,
            maximumPacketSize: PACKET_LIMIT,
          }
        : undefined,
    // The web socket collects a whole frame before the client sees it.
    wsOptions: { maxPayload: UNFINISHED_LIMIT },
  };
}
