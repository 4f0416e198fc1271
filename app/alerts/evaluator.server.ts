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
import { type JudgedSensor, judgeLate, readingsToJudge } from './judge-sensor.server';
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
}

/** Readings that are judged in one turn of the event loop: about a millisecond of work. */
const READINGS_PER_TURN = 250;
const SENSORS_PER_TURN = 500;
/** Making a message takes as long as looking at this many sensors. */
const SENSORS_PER_MESSAGE = 25;

/** While there is more to read, changes are stored when there are as many. */
const CHANGES_WHILE_READING = 200;

/** How long readings are judged again after a restart at most, if nothing else was to be stored. */
const STORE_ALL_MS = 60_000;

/** Longer between two rounds, the machine was asleep or its clock was set. */
const ASLEEP_MS = 60_000;

/** A break that is as short as that of a restart changes nothing. Until when readings were watched is noted each minute. */
const SHORT_BREAK_MS = STORE_ALL_MS + ASLEEP_MS;
/** After a longer one, a sensor has at least this time to be heard, or `silentAfterMs` if that is shorter. */
const LEAST_PATIENCE_MS = 15 * 60_000;

/** Judges the air of every sensor, and writes to the outbox what is to be told. */
export class Evaluator {
  readonly #incoming: IncomingReadings;
  readonly #now: () => number;
  /** When readings of a sensor came last. */
  readonly #heardAt = new Map<string, number>();
  /** The air of sensors before readings of theirs that came late: more of them are judged from there on. */
  readonly #bases = new Map<string, SensorAir>();
  /** Until then, a sensor that hasn't been heard since a break isn't silent: nobody may have listened to it. */
  #patientUntil = 0;
  #lastRound: number;
  #lastStoreAll: number;

  private constructor(
    private readonly options: EvaluatorOptions,
    private readonly changes: AlertChanges,
    watched: Watch | null,
  ) {
    this.#incoming = incomingReadings(options.readings);
    this.#now = options.now ?? Date.now;
    this.#lastRound = this.#now();
    this.#lastStoreAll = this.#lastRound;
    this.#listenAfter(watched);
  }

  /** Goes on from what the store has. */
  static async open(options: EvaluatorOptions): Promise<Evaluator> {
    const { now = Date.now } = options;
    const { cursor, sensors } = await options.alerts.load();
    const start = cursor ?? (await beginFirst(options.readings, options.alerts, now()));
    const until = new Date(now()).toISOString();
    const watched = await options.alerts.watch({ until, patienceMs: options.rules.silentAfterMs });
    const evaluator = new Evaluator(options, new AlertChanges(options.alerts, start, sensors), watched);
    await options.alerts.watch(evaluator.#watch());
    return evaluator;
  }

  /** Every sensor, as its readings until now say. */
  get sensors(): WatchedSensor[] {
    return [...this.changes.sensors.values()];
  }

  /** Tells whether a round would find readings, as far as this process knows, or hasn't looked for a while. */
  isDue(): boolean {
    return this.#incoming.isDue(this.#now());
  }

  /**
   * Judges what has come, and stores what has changed, with its messages. After an error, another evaluator has to go on from
   * what is stored.
   *
   * @returns true if something is to be delivered
   */
  async round(): Promise<boolean> {
    this.#noteBreak();
    for await (const page of this.#incoming.after(this.changes.cursor)) {
      for (let i = 0; i < page.length; i += READINGS_PER_TURN) {
        await this.#judge(page.slice(i, i + READINGS_PER_TURN));
        await nextTurn();
      }
      if (this.changes.size >= CHANGES_WHILE_READING) await this.changes.store();
    }
    const hasMessages = await this.#tell();
    await this.changes.store();
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
    await this.changes.storeAll();
    await this.options.alerts.watch(this.#watch());
  }

  #watch(): Watch {
    const patienceMs = Math.max(0, this.#patientUntil - this.#lastRound);
    return { until: new Date(this.#lastRound).toISOString(), patienceMs };
  }

  #noteBreak(): void {
    const now = this.#now();
    const isBreak = now < this.#lastRound || now - this.#lastRound > ASLEEP_MS;
    if (isBreak) this.#listenAfter(this.#watch());
    this.#lastRound = now;
  }

  /**
   * Listens again after a break. Sensors get as much time to be heard as it took. They don't get `silentAfterMs` after every
   * start: a server that starts more often than that would never find a silence.
   *
   * @param watched what was noted before it; null if nobody listened before
   */
  #listenAfter(watched: Watch | null): void {
    const now = this.#now();
    const { silentAfterMs } = this.options.rules;
    const until = watched ? Date.parse(watched.until) : Number.NaN;
    const breakMs = until <= now ? now - until : Number.POSITIVE_INFINITY;
    if (watched && breakMs <= SHORT_BREAK_MS) {
      this.#patientUntil = now + Math.min(silentAfterMs, watched.patienceMs);
      if (watched.patienceMs === 0) this.#noteSlowClocks(until, now);
      return;
    }
    this.#patientUntil = now + Math.min(silentAfterMs, Math.max(breakMs, LEAST_PATIENCE_MS));
    this.#heardAt.clear();
  }

  /** A sensor that isn't silent although its readings are old has a clock that is behind, and was heard before a restart. */
  #noteSlowClocks(until: number, now: number): void {
    for (const { sensor, air } of this.changes.sensors.values()) {
      const isOld = until - Date.parse(air.newest) > this.options.rules.silentAfterMs;
      if (isOld && air.silentSince === null && !this.#heardAt.has(sensor)) this.#heardAt.set(sensor, now);
    }
  }

  async #judge(readings: readonly Reading[]): Promise<void> {
    const { rules } = this.options;
    for (const [sensor, own] of groupBySensor(readings)) {
      const known = this.changes.sensors.get(sensor);
      const air = known?.air ?? null;
      const { timely, isLate } = readingsToJudge(air, own);
      if (timely.length === 0) continue;
      // The store compares with the transitions that it has.
      if (isLate && this.changes.changeOf(sensor)) await this.changes.store();
      const judged =
        isLate && air
          ? await this.#judgeLate(sensor, air, timely)
          : { ...judgeReadings(air, timely, rules), withdrawn: [] };
      const now = this.#now();
      this.#heardAt.set(sensor, now);
      const { transitions, withdrawn } = judged;
      const judgedAir = judged.air as SensorAir;
      const told = known ?? { told: toldAtFirst(judgedAir, rules, now), toldAt: null };
      const change = transitions.length + withdrawn.length > 0 ? { transitions, withdrawn } : {};
      this.changes.set({ sensor, air: judgedAir, told: told.told, toldAt: told.toldAt }, change);
    }
    this.changes.cursor = (readings.at(-1) as Reading).id;
  }

  async #judgeLate(sensor: string, air: SensorAir, late: readonly Reading[]): Promise<JudgedSensor> {
    const base = this.#bases.get(sensor) ?? null;
    const judged = await judgeLate(sensor, air, late, base, this.options);
    if (judged.base) this.#bases.set(sensor, judged.base);
    else this.#bases.delete(sensor);
    return judged;
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
    if (air.silentSince !== null) return watched;
    const { rules } = this.options;
    const heardAt = this.#heardAt.get(sensor);
    if (heardAt === undefined && now <= this.#patientUntil) return watched;
    if (now - Math.max(Date.parse(air.newest), heardAt ?? 0) <= rules.silentAfterMs) return watched;
    const judged = judgeSilence(sensor, air, rules);
    const silent = { ...watched, air: judged.air };
    this.changes.set(silent, { transitions: judged.transitions });
    return silent;
  }
}
