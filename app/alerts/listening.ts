import type { SensorAir } from '../readings/air/air-state';
import { MIN_SILENT_MS, silentAfter } from '../readings/now/stale';
import type { Watch, WatchedSensor } from '../store/alert-store';

/** How often it is stored until when readings were watched. */
export const STORE_ALL_MS = 60_000;
/** Longer between two rounds, the machine was asleep or its clock was set. */
const ASLEEP_MS = 60_000;

/** A break that is as short as that of a restart changes nothing. Until when readings were watched is noted each minute. */
const SHORT_BREAK_MS = STORE_ALL_MS + ASLEEP_MS;
/** After a longer one, a sensor has at least this time to be heard, or what makes it silent if that is shorter. */
export const LEAST_PATIENCE_MS = MIN_SILENT_MS;

/** Knows when sensors were heard, and for how long it has listened: a sensor isn't silent because nobody did. */
export class Listening {
  /** When readings of a sensor came last, in milliseconds since 1970. */
  readonly #heardAt = new Map<string, number>();
  /** Until then, a sensor that hasn't been heard since a break isn't silent: nobody may have listened to it. */
  #patientUntil = 0;
  /** When the last break ended. */
  #patientFrom = 0;

  /**
   * @param watched what was noted by the process before; null if nobody listened before
   * @param now the server's clock in milliseconds since 1970
   * @param timeOf returns the time of a sensor's newest reading by that clock; null if it can't be
   */
  constructor(
    readonly silentAfterMs: number | null,
    watched: Watch | null,
    sensors: Iterable<WatchedSensor>,
    private now: number,
    private readonly timeOf: (air: SensorAir) => number | null,
  ) {
    this.#listenAfter(watched, sensors);
  }

  /** Goes on listening at a time; after a break if it is long after the one before, or earlier. */
  goOn(now: number, sensors: Iterable<WatchedSensor>): void {
    const isBreak = now < this.now || now - this.now > ASLEEP_MS;
    const watched = this.watch();
    this.now = now;
    if (isBreak) this.#listenAfter(watched, sensors);
  }

  hear(sensor: string, now: number): void {
    this.#heardAt.set(sensor, now);
  }

  /** Returns when a sensor counts as silent if no reading comes, in milliseconds since 1970. */
  silentFrom({ sensor, air }: WatchedSensor): number {
    const newest = this.timeOf(air) ?? Number.NEGATIVE_INFINITY;
    const heardAt = this.#heardAt.get(sensor);
    const afterMs = silentAfter(air, this);
    if (heardAt !== undefined) return Math.max(newest, heardAt) + afterMs;
    return Math.max(newest + afterMs, Math.min(this.#patientFrom + afterMs, this.#patientUntil));
  }

  /** Returns for how long it has listened since the last break, in which the clock may have been set. */
  steadyMs(now: number): number {
    return now - this.#patientFrom;
  }

  /** Returns what is to be noted for the next start. */
  watch(): Watch {
    const patienceMs = Math.max(0, this.#patientUntil - this.now);
    return { until: new Date(this.now).toISOString(), patienceMs };
  }

  /**
   * Listens again after a break. Sensors get as much time to be heard as it took. They don't get the whole time after which
   * they are silent after every start: a server that starts more often than that would never find a silence.
   */
  #listenAfter(watched: Watch | null, sensors: Iterable<WatchedSensor>): void {
    const { now } = this;
    const known = [...sensors];
    const silentAfterMs = this.#longestSilence(known);
    this.#patientFrom = now;
    const until = watched ? Date.parse(watched.until) : Number.NaN;
    const breakMs = until <= now ? now - until : Number.POSITIVE_INFINITY;
    if (watched && breakMs <= SHORT_BREAK_MS) {
      this.#patientUntil = now + Math.min(silentAfterMs, watched.patienceMs);
      if (watched.patienceMs === 0) this.#noteSlowClocks(known, until);
      return;
    }
    this.#patientUntil = now + Math.min(silentAfterMs, Math.max(breakMs, LEAST_PATIENCE_MS));
    this.#heardAt.clear();
  }

  /** Returns after how long the slowest sensor is silent. */
  #longestSilence(sensors: Iterable<WatchedSensor>): number {
    let longest = this.silentAfterMs ?? LEAST_PATIENCE_MS;
    for (const { air } of sensors) longest = Math.max(longest, silentAfter(air, this));
    return longest;
  }

  /** A sensor that isn't silent although its readings are old has a clock that is behind, and was heard before a restart. */
  #noteSlowClocks(sensors: Iterable<WatchedSensor>, until: number): void {
    for (const { sensor, air } of sensors) {
      const isOld = until - (this.timeOf(air) ?? until) > silentAfter(air, this);
      if (isOld && air.silentSince === null && !this.#heardAt.has(sensor)) this.hear(sensor, this.now);
    }
  }
}
