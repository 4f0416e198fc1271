import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AlertEvent } from '../providers/alert-event';
import {
  type AirRules,
  type AirState,
  type SensorAir,
  stateOf,
  type Transition,
} from '../readings/air/air-state';
import { airAt, judgeReadings, judgeSilence } from '../readings/air/judge-reading';
import { at } from '../readings/at';
import { isAhead } from '../readings/now/stale';
import { compareReadings, compareTimes, type Reading } from '../readings/reading';
import { groupBySensor } from '../readings/sensor';
import {
  type AlertStore,
  LeaseLostError,
  type OutboxMessage,
  type RecordedMessage,
  type Watch,
  type WatchedSensor,
} from '../store/alert-store';
import type { ReadingStore } from '../store/reading-store';
import { describeEvent, type EventRules, type Occasion } from './describe-event';
import { beginFirst, type IncomingReadings, incomingReadings } from './incoming-readings.server';
import { isQuiet, knownAtFirst, type NotifyRules, noticeOf, type QuietHours } from './notify-rules';
import { RoomNotices, type RoomRules } from './room-notices.server';
import { LEAST_PATIENCE_MS, SilenceWatch, STORE_ALL_MS } from './silence-watch';

export interface EvaluatorRules extends AirRules, NotifyRules, EventRules {
  quiet: QuietHours | null;
}

/** The rules that sensors may have of their own, and their current names. */
export interface OwnRules {
  of(sensor: string): Pick<AirRules, 'thresholds' | 'silentAfterMs'>;
  /** True for a former name. Its sensor is judged under its new name. */
  isFormerName(sensor: string): boolean;
}

export interface EvaluatorOptions {
  readings: Pick<ReadingStore, 'inserts' | 'read' | 'newest' | 'clockLeadMs'>;
  alerts: AlertStore;
  /** Keys of the addresses that get every message. */
  addresses: readonly string[];
  rules: EvaluatorRules;
  /** Returns the rules that a sensor has of its own. */
  ownRules?: OwnRules;
  /** The notices about rooms to send, and the keys of the addresses that get them. */
  rooms?: RoomRules & { addresses: readonly string[] };
  /** Returns the name of the sensor outdoors, by whose air messages advise; null if none is. */
  outdoorSensor?: () => string | null;
  /** The most judged sensors. New ones beyond are left out. */
  mostSensors?: number;
  now?: () => number;
}

/** Readings per event-loop turn: about a millisecond of work. */
const READINGS_PER_TURN = 250;
const SENSORS_PER_TURN = 500;
/** Making a message takes as long as checking this many sensors. */
const SENSORS_PER_MESSAGE = 25;

/**
 * After a start or a jump the clock may be wrong: a Raspberry Pi gets the time from the network. Judged readings count
 * as from the future only after the clock has been steady for this long.
 */
const STEADY_MS = 10_000;

/** While a round reads many readings, it stores the changes as soon as there are this many. */
const CHANGES_WHILE_READING = 200;

/** The messages that are looked through for airings that were notified before a restart. */
const SENT_MESSAGES = 200;

/**
 * Judges the air of every sensor and writes messages to the outbox. A reading that isn't newer than a sensor's newest
 * judged one changes the history only.
 */
export class Evaluator {
  readonly #incoming: IncomingReadings;
  readonly #now: () => number;
  readonly silences: SilenceWatch;
  readonly #rooms: RoomNotices | null;
  /** The time when everything was last stored. After a restart, later readings may have to be judged again. */
  #lastStoreAll: number;

  private constructor(
    private readonly options: EvaluatorOptions,
    private readonly changes: AlertChanges,
    watched: Watch | null,
    sent: readonly RecordedMessage[],
  ) {
    this.#incoming = incomingReadings(options.readings);
    this.#now = options.now ?? Date.now;
    this.#lastStoreAll = this.#now();
    const { rooms, rules } = options;
    this.#rooms = rooms ? new RoomNotices(rooms, rules, sent) : null;
    const timeOf = ({ newest }: SensorAir) =>
      this.#isFuture(newest) ? null : Date.parse(newest) + this.#clockLagMs();
    this.silences = new SilenceWatch(
      (sensor) => this.#rulesOf(sensor).silentAfterMs,
      watched,
      changes.sensors.values(),
      this.#lastStoreAll,
      timeOf,
    );
  }

  #rulesOf(sensor: string): EvaluatorRules {
    const { rules, ownRules } = this.options;
    return ownRules ? { ...rules, ...ownRules.of(sensor) } : rules;
  }

  /** Returns by how much the clock that times readings is behind the server's. */
  #clockLagMs(): number {
    return Math.max(0, -(this.options.readings.clockLeadMs?.() ?? 0));
  }

  /** Returns true for a time in the future. The times of a store with its own clock are trusted. */
  readonly #isFuture = (time: string): boolean =>
    !this.options.readings.clockLeadMs && isAhead({ created_at: time }, this.#now());

  static async open(options: EvaluatorOptions): Promise<Evaluator> {
    const { now = Date.now } = options;
    const loaded = await options.alerts.load(options.mostSensors);
    const { cursor } = loaded;
    const sensors = loaded.sensors.filter(({ sensor }) => !options.ownRules?.isFormerName(sensor));
    const start = cursor ?? (await beginFirst(options.readings, options.alerts, now()));
    const until = new Date(now()).toISOString();
    const patienceMs = options.rules.silentAfterMs ?? LEAST_PATIENCE_MS;
    const watched = await options.alerts.watch({ until, patienceMs });
    const sent = options.rooms ? await options.alerts.recentMessages(SENT_MESSAGES) : [];
    const changes = new AlertChanges(options.alerts, start, sensors);
    const evaluator = new Evaluator(options, changes, watched, sent);
    await options.alerts.watch(evaluator.silences.watch());
    return evaluator;
  }

  get sensors(): WatchedSensor[] {
    return [...this.changes.sensors.values()];
  }

  /** Returns true if a round may find readings to judge. */
  isDue(): boolean {
    return this.#incoming.isDue(this.#now());
  }

  /**
   * Judges new readings and stores the changes with their messages. Returns true if there is something to deliver.
   * After an error, abandon this evaluator and open another, which starts from the stored state.
   */
  async round(): Promise<boolean> {
    this.silences.goOn(this.#now(), this.changes.sensors.values());
    for await (const page of this.#incoming.after(this.changes.cursor)) {
      for (let i = 0; i < page.length; i += READINGS_PER_TURN) {
        this.#judge(page.slice(i, i + READINGS_PER_TURN));
        await nextTurn();
      }
      if (this.changes.size >= CHANGES_WHILE_READING) await this.changes.store();
    }
    const hasMessages = await this.#notify();
    await this.changes.store();
    const now = this.#now();
    if (Math.abs(now - this.#lastStoreAll) >= STORE_ALL_MS) {
      this.#lastStoreAll = now;
      await this.#storeAll();
    }
    return hasMessages;
  }

  /** Stores everything, so that readings aren't judged again after the next start. */
  async close(): Promise<void> {
    this.#incoming.stop();
    await this.#storeAll();
  }

  /** Stops without storing, even during a round. */
  abandon(): void {
    this.#incoming.stop();
    this.changes.abandon();
  }

  async #storeAll(): Promise<void> {
    await this.changes.storeAll();
    await this.options.alerts.watch(this.silences.watch());
  }

  /** Judges readings that arrived together by their times. */
  #judge(readings: readonly Reading[]): void {
    for (const [sensor, own] of groupBySensor(readings)) {
      const known = this.changes.sensors.get(sensor);
      if (!known && this.changes.sensors.size >= (this.options.mostSensors ?? Number.POSITIVE_INFINITY))
        continue;
      const unjudged = own.filter(
        ({ id, created_at }) => id > (known?.air.newestId ?? 0) && !this.#isFuture(created_at),
      );
      if (unjudged.length === 0) continue;
      this.silences.received(sensor, this.#now());
      const newer = unjudged.sort(compareReadings).filter((reading) => isNewer(reading, known?.air ?? null));
      const { air, transitions } = judgeReadings(known?.air ?? null, newer, this.#rulesOf(sensor));
      if (!air || newer.length === 0) continue;
      const { notified, notifiedAt } = known ?? {
        notified: knownAtFirst(air, this.#rulesOf(sensor), this.#now() - this.#clockLagMs()),
        notifiedAt: null,
      };
      const change = transitions.length > 0 ? { transitions } : {};
      this.changes.set({ sensor, air, notified, notifiedAt }, change);
    }
    this.changes.cursor = at(readings, readings.length - 1).id;
  }

  /** Finds silent sensors and makes the due messages. Returns true if there are any. */
  async #notify(): Promise<boolean> {
    const { rules, addresses } = this.options;
    const now = this.#now();
    const isQuietNow = rules.quiet !== null && isQuiet(rules.quiet, rules.timeZone, now);
    let hasMessages = false;
    let work = 0;
    for (const watched of this.changes.sensors.values()) {
      if (++work > SENSORS_PER_TURN) {
        work = 0;
        await nextTurn();
      }
      const current = this.#noteSilence(this.#leaveFuture(watched, now), now);
      if (isQuietNow) continue;
      const about = this.#aboutRoom(current, now);
      const due = noticeOf(current, this.#rulesOf(current.sensor), now, now - this.#clockLagMs());
      // Without addresses nobody would be told, so a notice waits until there is one.
      const notice = due?.kind && addresses.length === 0 ? null : due;
      if (!notice && about.length === 0) continue;
      const { kind, notified, notifiedAt } = notice ?? { ...current, kind: null };
      // Only a sensor's last message is sent. A new state comes after notices about its room, and the end of a state
      // before them.
      const messages = kind ? [...about, await this.#message(current, kind, notified, now)] : about;
      if (kind === 'ended') messages.reverse();
      this.changes.set({ ...current, notified, notifiedAt }, { messages });
      hasMessages ||= messages.length > 0;
      work += SENSORS_PER_MESSAGE;
    }
    return hasMessages;
  }

  #aboutRoom(watched: WatchedSensor, now: number): OutboxMessage[] {
    const isOnly = this.changes.sensors.size === 1;
    const notices = this.#rooms?.due(watched, isOnly, now) ?? [];
    return notices.map(({ id: parts, event }) => {
      const id = messageId(parts);
      const json = JSON.stringify({ id, ...event } satisfies AlertEvent);
      const addresses = [...(this.options.rooms?.addresses ?? [])];
      return { id, createdAt: new Date(now).toISOString(), transition: null, event: json, addresses };
    });
  }

  async #message(watched: WatchedSensor, kind: Occasion['kind'], notified: AirState, now: number) {
    const { alerts, addresses } = this.options;
    const rules = this.#rulesOf(watched.sensor);
    const fresh = this.changes.changeOf(watched.sensor)?.transitions.at(-1);
    const transition = kind === 'reminder' ? null : (fresh ?? (await alerts.lastTransition(watched.sensor)));
    const sensor = this.options.outdoorSensor?.() ?? null;
    const outdoors = sensor === null ? null : { sensor, air: this.changes.sensors.get(sensor)?.air ?? null };
    const occasion = { kind, watched, outdoors, isOnly: this.changes.sensors.size === 1, now };
    // After the clock was ahead, the last transition may not lead to the current state.
    const isTo = transition?.to === stateOf(watched.air);
    return outboxMessage({ ...occasion, transition: isTo ? transition : null }, notified, addresses, rules);
  }

  /**
   * Restarts a sensor whose judged readings are from the future, which happens when the clock was ahead: its level stays,
   * and its next reading is judged.
   */
  #leaveFuture(watched: WatchedSensor, now: number): WatchedSensor {
    const { air } = watched;
    if (!this.#isFuture(air.newest) || this.silences.steadyMs(now) < STEADY_MS) return watched;
    const restarted = { ...airAt(new Date(now).toISOString()), level: air.level, newestId: air.newestId };
    const current = { ...watched, air: restarted };
    this.changes.set(current);
    return current;
  }

  #noteSilence(watched: WatchedSensor, now: number): WatchedSensor {
    const { sensor, air } = watched;
    const isSilent = air.silentSince === null && now > this.silences.silentFrom(watched);
    if (!isSilent || this.#isFuture(air.newest)) return watched;
    const judged = judgeSilence(sensor, air, this.#rulesOf(sensor));
    const silent = { ...watched, air: judged.air };
    this.changes.set(silent, { transitions: judged.transitions });
    return silent;
  }
}

/** Returns true if a reading is newer than the judged ones and, during a silence, than its start. */
function isNewer({ created_at }: Reading, air: SensorAir | null): boolean {
  return air === null || compareTimes(created_at, air.silentSince ?? air.newest) > 0;
}

/**
 * Returns a message for the outbox. The same occasion gets the same id, so that repeating a commit whose response was
 * lost doesn't send it twice.
 */
function outboxMessage(
  occasion: Occasion,
  notified: AirState,
  addresses: readonly string[],
  rules: EventRules,
): OutboxMessage {
  const { kind, watched, transition, now } = occasion;
  const words = describeEvent(occasion, rules);
  const id = messageId([watched.sensor, kind, notified, watched.notified, watched.notifiedAt, words.at]);
  return {
    id,
    createdAt: new Date(now).toISOString(),
    transition: transition && { sensor: transition.sensor, at: transition.at, to: transition.to },
    event: JSON.stringify({ id, ...words } satisfies AlertEvent),
    addresses: [...addresses],
  };
}

function messageId(parts: readonly (string | null)[]): string {
  return `msg_${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 24)}`;
}

/** A sensor's changes, which are stored together. */
interface SensorChange {
  transitions: Transition[];
  messages: OutboxMessage[];
}

/** Sensors per commit. More would block the event loop for more than a few milliseconds. */
const SENSORS_PER_COMMIT = 50;

const NONE: SensorChange = { transitions: [], messages: [] };

/**
 * The watched sensors and their unstored changes. Each sensor records its newest judged reading, so that some sensors
 * can be stored before others. The cursor is stored with the last ones.
 */
class AlertChanges {
  readonly sensors = new Map<string, WatchedSensor>();
  /** All readings up to this id are judged. */
  cursor: number;
  #storedCursor: number;
  #isAbandoned = false;
  readonly #unstored = new Set<string>();
  readonly #changes = new Map<string, SensorChange>();

  constructor(
    private readonly alerts: AlertStore,
    cursor: number,
    sensors: readonly WatchedSensor[],
  ) {
    this.cursor = cursor;
    this.#storedCursor = cursor;
    for (const watched of sensors) this.sensors.set(watched.sensor, watched);
  }

  /**
   * Replaces a sensor's state. `store` stores new sensors and those with a `change`; `storeAll` stores the others too.
   */
  set(watched: WatchedSensor, change: Partial<SensorChange> = {}): void {
    const { sensor } = watched;
    const isNew = !this.sensors.has(sensor);
    this.sensors.set(sensor, watched);
    this.#unstored.add(sensor);
    if (!isNew && Object.keys(change).length === 0) return;
    const { transitions, messages } = this.changeOf(sensor) ?? NONE;
    this.#changes.set(sensor, {
      transitions: [...transitions, ...(change.transitions ?? [])],
      messages: [...messages, ...(change.messages ?? [])],
    });
  }

  watched(sensor: string): WatchedSensor {
    const watched = this.sensors.get(sensor);
    if (!watched) throw new Error(`The sensor "${sensor}" has never been judged`);
    return watched;
  }

  changeOf(sensor: string): SensorChange | undefined {
    return this.#changes.get(sensor);
  }

  /** The number of sensors that `store` will store. */
  get size(): number {
    return this.#changes.size;
  }

  /** Stores the new and changed sensors. */
  async store(): Promise<void> {
    await this.#storeEach([...this.#changes.keys()]);
  }

  /** Stores everything, so that readings aren't judged again after a restart. */
  async storeAll(): Promise<void> {
    if (this.cursor === this.#storedCursor && this.#unstored.size === 0) return;
    await this.#storeEach([...this.#unstored], this.cursor);
  }

  /** Prevents further stores: another process may have stored a newer state. */
  abandon(): void {
    this.#isAbandoned = true;
  }

  /** @param cursor stored with the last sensors */
  async #storeEach(names: readonly string[], cursor?: number): Promise<void> {
    const parts = Math.max(Math.ceil(names.length / SENSORS_PER_COMMIT), cursor === undefined ? 0 : 1);
    for (let part = 0; part < parts; part++) {
      const some = names.slice(part * SENSORS_PER_COMMIT, (part + 1) * SENSORS_PER_COMMIT);
      const changes = some.map((name) => this.#changes.get(name) ?? NONE);
      if (part > 0) await nextTurn();
      if (this.#isAbandoned) throw new LeaseLostError('Another process judges now.');
      this.#storedCursor = part === parts - 1 && cursor !== undefined ? cursor : this.#storedCursor;
      await this.alerts.commit({
        cursor: this.#storedCursor,
        sensors: some.map((name) => this.watched(name)),
        transitions: changes.flatMap(({ transitions }) => transitions),
        messages: changes.flatMap(({ messages }) => messages),
      });
      for (const name of some) {
        this.#unstored.delete(name);
        this.#changes.delete(name);
      }
    }
  }
}
