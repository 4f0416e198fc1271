import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type AirRules,
  type AirState,
  type SensorAir,
  stateOf,
  type Transition,
} from '../readings/air/air-state';
import { judgeReadings, judgeSilence } from '../readings/air/judge-reading';
import { at } from '../readings/at';
import { isAhead } from '../readings/now/stale';
import type { Reading } from '../readings/reading';
import { groupBySensor } from '../readings/sensor';
import {
  type AlertChange,
  type AlertStore,
  type EvaluatorStore,
  LeaseLostError,
  type OutboxMessage,
  type RecordedMessage,
  type Watch,
  type WatchedSensor,
} from '../store/alert-store';
import type { ReadingStore } from '../store/reading-store';
import type { AlertEvent } from './alert-event';
import { describeEvent, type EventRules, type Occasion } from './describe-event';
import { beginFirst, type IncomingReadings, incomingReadings } from './incoming-readings.server';
import {
  addLate,
  type JudgedSensor,
  judgeLate,
  type LateReadings,
  readingsToJudge,
} from './judge-late.server';
import { isQuiet, knownAtFirst, type NotifyRules, noticeOf, type QuietHours } from './notify-rules';
import { RoomNotices, type RoomRules } from './room-notices.server';
import { LEAST_PATIENCE_MS, SilenceWatch, STORE_ALL_MS } from './silence-watch';

export interface EvaluatorRules extends AirRules, NotifyRules, EventRules {
  quiet: QuietHours | null;
}

export interface EvaluatorOptions {
  readings: Pick<ReadingStore, 'inserts' | 'read' | 'newest' | 'clockLeadMs'>;
  alerts: EvaluatorStore;
  /** Keys of the addresses that get every message. */
  addresses: readonly string[];
  rules: EvaluatorRules;
  /** The notices about rooms to send, and the keys of the addresses that get them. */
  rooms?: RoomRules & { addresses: readonly string[] };
  /** The most judged sensors. New ones beyond are left out. */
  mostSensors?: number;
  now?: () => number;
  lateMs?: number;
}

/** Readings per event-loop turn: about a millisecond of work. */
const READINGS_PER_TURN = 250;
const SENSORS_PER_TURN = 500;
/** Making a message takes as long as checking this many sensors. */
const SENSORS_PER_MESSAGE = 25;

/**
 * A round judges sensors with late readings for this long, and at least one sensor. The others wait for the next round.
 */
const LATE_MS = 200;

/**
 * After a start or a jump the clock may be wrong: a Raspberry Pi gets the time from the network. Stored readings count
 * as from the future only after the clock has been steady for this long.
 */
const STEADY_MS = 10_000;

/** While a round reads many readings, it stores the changes as soon as there are this many. */
const CHANGES_WHILE_READING = 200;

/** The messages that are looked through for airings that were notified before a restart. */
const SENT_MESSAGES = 200;

/** Judges the air of every sensor and writes messages to the outbox. */
export class Evaluator {
  readonly #incoming: IncomingReadings;
  readonly #now: () => number;
  /** The air of each sensor before its late readings. Judging further late readings starts there. */
  readonly #bases = new Map<string, SensorAir>();
  /**
   * Sensors with late readings, longest waiting first. Later readings of such a sensor wait too, so that it is judged
   * only once.
   */
  readonly #late = new Map<string, LateReadings>();
  /** Sensors whose readings are all from the future. */
  readonly #onlyFuture = new Set<string>();
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
    const { silentAfterMs } = rules;
    const timeOf = ({ newest }: SensorAir) =>
      this.#isFuture(newest) ? null : Date.parse(newest) + this.#clockLagMs();
    this.silences = new SilenceWatch(
      silentAfterMs,
      watched,
      changes.sensors.values(),
      this.#lastStoreAll,
      timeOf,
    );
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
    const { cursor, sensors } = await options.alerts.load(options.mostSensors);
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
    return this.#incoming.isDue(this.#now()) || this.#late.size > 0;
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
    let hasMessages = await this.#notify();
    await this.changes.store();
    if (this.#late.size > 0) {
      await this.#judgeLate();
      hasMessages = (await this.#notify()) || hasMessages;
      await this.changes.store();
    }
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
    const waiting = [...this.#late.values()].map(({ lowestId }) => lowestId - 1);
    await this.changes.storeAll(waiting.reduce((a, b) => Math.min(a, b), this.changes.cursor));
    await this.options.alerts.watch(this.silences.watch());
  }

  #judge(readings: readonly Reading[]): void {
    for (const [sensor, own] of groupBySensor(readings)) {
      const air = this.changes.sensors.get(sensor)?.air ?? null;
      if (!air && this.changes.sensors.size >= (this.options.mostSensors ?? Number.POSITIVE_INFINITY))
        continue;
      const waiting = this.#late.get(sensor) ?? null;
      const { timely, isLate } = readingsToJudge(air, waiting, own, this.#isFuture);
      if (timely.length === 0) continue;
      this.silences.received(sensor, this.#now());
      this.#onlyFuture.delete(sensor);
      if (isLate) this.#late.set(sensor, addLate(waiting, timely));
      else this.#note(sensor, { ...judgeReadings(air, timely, this.options.rules), withdrawn: [] });
    }
    this.changes.cursor = at(readings, readings.length - 1).id;
  }

  /** Judges sensors with late readings for `lateMs`, at least one. Their earlier changes must already be stored. */
  async #judgeLate(): Promise<void> {
    const { lateMs = LATE_MS } = this.options;
    const startedAt = performance.now();
    for (const [sensor, late] of this.#late) {
      const { air } = this.changes.watched(sensor);
      if (this.#isFuture(air.newest) && this.silences.steadyMs(this.#now()) < STEADY_MS) continue;
      const base = this.#bases.get(sensor) ?? null;
      const judged = await judgeLate(sensor, air, late, base, this.options, this.#isFuture);
      if (judged.base) this.#bases.set(sensor, judged.base);
      else this.#bases.delete(sensor);
      this.#note(sensor, judged);
      this.#late.delete(sensor);
      if (performance.now() - startedAt >= lateMs) break;
    }
  }

  #note(
    sensor: string,
    judged: Pick<JudgedSensor, 'transitions' | 'withdrawn'> & { air: SensorAir | null },
  ): void {
    const { air, transitions, withdrawn } = judged;
    if (!air) return;
    const known = this.changes.sensors.get(sensor);
    const before = known ?? {
      notified: knownAtFirst(air, this.options.rules, this.#now() - this.#clockLagMs()),
      notifiedAt: null,
    };
    const change = transitions.length + withdrawn.length > 0 ? { transitions, withdrawn } : {};
    this.changes.set({ sensor, air, notified: before.notified, notifiedAt: before.notifiedAt }, change);
  }

  /** Finds silent sensors and makes the due messages. Returns true if there are any. */
  async #notify(): Promise<boolean> {
    const { rules } = this.options;
    const now = this.#now();
    const isQuietNow = rules.quiet !== null && isQuiet(rules.quiet, rules.timeZone, now);
    let hasMessages = false;
    let work = 0;
    for (const watched of this.changes.sensors.values()) {
      if (++work > SENSORS_PER_TURN) {
        work = 0;
        await nextTurn();
      }
      if (this.#late.has(watched.sensor)) continue;
      const current = await this.#noteSilence(watched, now);
      if (this.#late.has(watched.sensor)) continue;
      if (isQuietNow) continue;
      const about = this.#aboutRoom(current, now);
      const notice = noticeOf(current, rules, now, now - this.#clockLagMs());
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
    const { alerts, addresses, rules } = this.options;
    const fresh = this.changes.changeOf(watched.sensor)?.transitions.at(-1);
    const transition = kind === 'reminder' ? null : (fresh ?? (await lastTransition(alerts, watched.sensor)));
    const occasion = { kind, watched, isOnly: this.changes.sensors.size === 1, now };
    // If a transition was withdrawn, the last one may not lead to the current state.
    const isTo = transition?.to === stateOf(watched.air);
    return outboxMessage({ ...occasion, transition: isTo ? transition : null }, notified, addresses, rules);
  }

  async #noteSilence(watched: WatchedSensor, now: number): Promise<WatchedSensor> {
    const { sensor, air } = watched;
    if (air.silentSince !== null || now <= this.silences.silentFrom(watched)) return watched;
    if (this.#isFuture(air.newest)) {
      await this.#forgetFuture(watched, now);
      return watched;
    }
    const judged = judgeSilence(sensor, air, this.options.rules);
    const silent = { ...watched, air: judged.air };
    this.changes.set(silent, { transitions: judged.transitions });
    return silent;
  }

  /** Marks a sensor to be judged again without its readings from the future, unless it has no others. */
  async #forgetFuture({ sensor, air }: WatchedSensor, now: number): Promise<void> {
    if (this.#onlyFuture.has(sensor)) return;
    const to = new Date(now).toISOString();
    for await (const page of this.options.readings.read({ sensor, to, limit: 1 })) {
      const last = page.at(-1)?.created_at;
      if (!last) continue;
      this.#late.set(sensor, { from: last, newest: last, lowestId: air.newestId, highestId: air.newestId });
      return;
    }
    this.#onlyFuture.add(sensor);
  }
}

const END_OF_TIME = '9999-12-31T23:59:59.999Z';

export async function lastTransition(
  alerts: Pick<AlertStore, 'transitionsSince'>,
  sensor: string,
): Promise<Transition | null> {
  return (await alerts.transitionsSince(sensor, END_OF_TIME)).at(-1) ?? null;
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
  withdrawn: AlertChange['withdrawn'];
  messages: OutboxMessage[];
}

/** Sensors per commit. More would block the event loop for more than a few milliseconds. */
const SENSORS_PER_COMMIT = 50;

const NONE: SensorChange = { transitions: [], withdrawn: [], messages: [] };

/**
 * The watched sensors and their unstored changes. Each sensor records its newest judged reading, so that some sensors
 * can be stored before others. The cursor is stored with the last ones.
 */
class AlertChanges {
  readonly sensors = new Map<string, WatchedSensor>();
  /** All readings up to this id are judged or wait as late readings. */
  cursor: number;
  #storedCursor: number;
  #isAbandoned = false;
  readonly #unstored = new Set<string>();
  readonly #changes = new Map<string, SensorChange>();

  constructor(
    private readonly alerts: EvaluatorStore,
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
    const { transitions, withdrawn, messages } = this.changeOf(sensor) ?? NONE;
    this.#changes.set(sensor, {
      transitions: [...transitions, ...(change.transitions ?? [])],
      withdrawn: [...withdrawn, ...(change.withdrawn ?? [])],
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

  /**
   * Stores everything, so that readings aren't judged again after a restart.
   *
   * @param judged all readings up to this id are judged
   */
  async storeAll(judged: number): Promise<void> {
    if (judged === this.#storedCursor && this.#unstored.size === 0) return;
    await this.#storeEach([...this.#unstored], judged);
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
        withdrawn: changes.flatMap(({ withdrawn }) => withdrawn),
        messages: changes.flatMap(({ messages }) => messages),
      });
      for (const name of some) {
        this.#unstored.delete(name);
        this.#changes.delete(name);
      }
    }
  }
}
