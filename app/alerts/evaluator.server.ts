import { setImmediate as nextTurn } from 'node:timers/promises';
import { type AirRules, type AirState, type SensorAir, stateOf } from '../readings/air/air-state';
import { judgeReadings, judgeSilence } from '../readings/air/judge-reading';
import type { Reading } from '../readings/reading';
import { groupBySensor } from '../readings/sensor';
import type { AlertStore, Watch, WatchedSensor } from '../store/alert-store';
import type { ReadingStore } from '../store/reading-store';
import { AlertChanges } from './alert-changes.server';
import type { EventRules, Occasion } from './describe-event';
import { beginFirst, type IncomingReadings, incomingReadings } from './incoming-readings.server';
import {
  addLate,
  type JudgedSensor,
  judgeLate,
  type LateReadings,
  readingsToJudge,
} from './judge-sensor.server';
import { LEAST_PATIENCE_MS, Listening, STORE_ALL_MS } from './listening';
import { lastTransition, outboxMessage } from './outbox-message.server';
import { isQuiet, type QuietHours } from './quiet-hours';
import { type TellingRules, tellingOf, toldAtFirst } from './telling';

export interface EvaluatorRules extends AirRules, TellingRules, EventRules {
  quiet: QuietHours | null;
}

export interface EvaluatorOptions {
  readings: Pick<ReadingStore, 'inserts' | 'read' | 'newest'>;
  alerts: AlertStore;
  /** Keys of the addresses that get every message. */
  addresses: readonly string[];
  rules: EvaluatorRules;
  /** The server's clock in milliseconds since 1970. */
  now?: () => number;
  /** How long a round judges sensors with late readings. */
  lateMs?: number;
}

/** Readings that are judged in one turn of the event loop: about a millisecond of work. */
const READINGS_PER_TURN = 250;
const SENSORS_PER_TURN = 500;
/** Making a message takes as long as looking at this many sensors. */
const SENSORS_PER_MESSAGE = 25;

/** A round judges at least one sensor with late readings, and others for this time. The rest waits for the next round. */
const LATE_MS = 200;

/** While there is more to read, changes are stored when there are as many. */
const CHANGES_WHILE_READING = 200;

/** Judges the air of every sensor, and writes to the outbox what is to be told. */
export class Evaluator {
  readonly #incoming: IncomingReadings;
  readonly #now: () => number;
  /** The air of sensors before readings of theirs that came late: more of them are judged from there on. */
  readonly #bases = new Map<string, SensorAir>();
  /**
   * Sensors with late readings, those that wait longest first. All that such a sensor sends waits, so that it is judged once
   * however often it sends, and goes on after a restart from where it was.
   */
  readonly #late = new Map<string, LateReadings>();
  readonly listening: Listening;
  /** Readings since then are judged again after a restart, if nothing else was to be stored. */
  #lastStoreAll: number;

  private constructor(
    private readonly options: EvaluatorOptions,
    private readonly changes: AlertChanges,
    watched: Watch | null,
  ) {
    this.#incoming = incomingReadings(options.readings);
    this.#now = options.now ?? Date.now;
    this.#lastStoreAll = this.#now();
    const { silentAfterMs } = options.rules;
    this.listening = new Listening(silentAfterMs, watched, changes.sensors.values(), this.#lastStoreAll);
  }

  /** Goes on from what the store has. */
  static async open(options: EvaluatorOptions): Promise<Evaluator> {
    const { now = Date.now } = options;
    const { cursor, sensors } = await options.alerts.load();
    const start = cursor ?? (await beginFirst(options.readings, options.alerts, now()));
    const until = new Date(now()).toISOString();
    const patienceMs = options.rules.silentAfterMs ?? LEAST_PATIENCE_MS;
    const watched = await options.alerts.watch({ until, patienceMs });
    const evaluator = new Evaluator(options, new AlertChanges(options.alerts, start, sensors), watched);
    await options.alerts.watch(evaluator.listening.watch());
    return evaluator;
  }

  /** Every sensor, as its readings until now say. */
  get sensors(): WatchedSensor[] {
    return [...this.changes.sensors.values()];
  }

  /** Tells whether a round would find readings, as far as this process knows, or hasn't looked for a while. */
  isDue(): boolean {
    return this.#incoming.isDue(this.#now()) || this.#late.size > 0;
  }

  /**
   * Judges what has come, and stores what has changed, with its messages. After an error, another evaluator has to go on from
   * what is stored.
   *
   * @returns true if something is to be delivered
   */
  async round(): Promise<boolean> {
    this.listening.goOn(this.#now(), this.changes.sensors.values());
    for await (const page of this.#incoming.after(this.changes.cursor)) {
      for (let i = 0; i < page.length; i += READINGS_PER_TURN) {
        this.#judge(page.slice(i, i + READINGS_PER_TURN));
        await nextTurn();
      }
      if (this.changes.size >= CHANGES_WHILE_READING) await this.changes.store();
    }
    let hasMessages = await this.#tell();
    await this.changes.store();
    if (this.#late.size > 0) {
      await this.#judgeLate();
      hasMessages = (await this.#tell()) || hasMessages;
      await this.changes.store();
    }
    const now = this.#now();
    if (Math.abs(now - this.#lastStoreAll) >= STORE_ALL_MS) {
      this.#lastStoreAll = now;
      await this.#storeAll();
    }
    return hasMessages;
  }

  /** Stores what is known, so that the next start has nothing to judge again. */
  async close(): Promise<void> {
    this.#incoming.stop();
    await this.#storeAll();
  }

  /** Stops without storing anything more, also if a round is under way. */
  abandon(): void {
    this.#incoming.stop();
    this.changes.abandon();
  }

  async #storeAll(): Promise<void> {
    const waiting = [...this.#late.values()].map(({ lowestId }) => lowestId - 1);
    await this.changes.storeAll(waiting.reduce((a, b) => Math.min(a, b), this.changes.cursor));
    await this.options.alerts.watch(this.listening.watch());
  }

  #judge(readings: readonly Reading[]): void {
    for (const [sensor, own] of groupBySensor(readings)) {
      const air = this.changes.sensors.get(sensor)?.air ?? null;
      const waiting = this.#late.get(sensor) ?? null;
      const { timely, isLate } = readingsToJudge(air, waiting, own);
      if (timely.length === 0) continue;
      this.listening.hear(sensor, this.#now());
      if (isLate) this.#late.set(sensor, addLate(waiting, timely));
      else this.#note(sensor, { ...judgeReadings(air, timely, this.options.rules), withdrawn: [] });
    }
    this.changes.cursor = (readings.at(-1) as Reading).id;
  }

  /** Judges sensors with late readings until the time is up. What changed of them before is stored. */
  async #judgeLate(): Promise<void> {
    const { lateMs = LATE_MS } = this.options;
    const startedAt = performance.now();
    for (const [sensor, late] of this.#late) {
      const { air } = this.changes.sensors.get(sensor) as WatchedSensor;
      const judged = await judgeLate(sensor, air, late, this.#bases.get(sensor) ?? null, this.options);
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
    const { transitions, withdrawn } = judged;
    const air = judged.air as SensorAir;
    const known = this.changes.sensors.get(sensor);
    const told = known ?? { told: toldAtFirst(air, this.options.rules, this.#now()), toldAt: null };
    const change = transitions.length + withdrawn.length > 0 ? { transitions, withdrawn } : {};
    this.changes.set({ sensor, air, told: told.told, toldAt: told.toldAt }, change);
  }

  /** Finds sensors that have gone silent, and tells what is to be told. */
  async #tell(): Promise<boolean> {
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
      const current = this.#noteSilence(watched, now);
      const telling = isQuietNow ? null : tellingOf(current, rules, now);
      if (!telling) continue;
      const { kind, told, toldAt } = telling;
      const messages = kind ? [await this.#message(current, kind, told, now)] : [];
      this.changes.set({ ...current, told, toldAt }, { messages });
      hasMessages ||= kind !== null;
      work += SENSORS_PER_MESSAGE;
    }
    return hasMessages;
  }

  async #message(watched: WatchedSensor, kind: Occasion['kind'], told: AirState, now: number) {
    const { alerts, addresses, rules } = this.options;
    const fresh = this.changes.changeOf(watched.sensor)?.transitions.at(-1);
    const transition = kind === 'reminder' ? null : (fresh ?? (await lastTransition(alerts, watched.sensor)));
    const occasion = { kind, watched, isOnly: this.changes.sensors.size === 1, now };
    // A state that is back because a transition was withdrawn has none.
    const isTo = transition?.to === stateOf(watched.air);
    return outboxMessage({ ...occasion, transition: isTo ? transition : null }, told, addresses, rules);
  }

  #noteSilence(watched: WatchedSensor, now: number): WatchedSensor {
    const { sensor, air } = watched;
    if (air.silentSince !== null || now <= this.listening.silentFrom(watched)) return watched;
    const judged = judgeSilence(sensor, air, this.options.rules);
    const silent = { ...watched, air: judged.air };
    this.changes.set(silent, { transitions: judged.transitions });
    return silent;
  }
}
