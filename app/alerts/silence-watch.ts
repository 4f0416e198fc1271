import type { SensorAir } from '../readings/air/air-state';
import { MIN_SILENT_MS, silentAfter } from '../readings/now/stale';
import type { Watch, WatchedSensor } from '../store/alert-store';

/** The interval at which the end of watching is stored. */
export const STORE_ALL_MS = 60_000;
/** After a longer time between two rounds, the machine was asleep or its clock was set. */
const ASLEEP_MS = 60_000;

/** A break as short as a restart changes nothing. The end of watching is stored each minute. */
const SHORT_BREAK_MS = STORE_ALL_MS + ASLEEP_MS;
/** After a longer break, a sensor has at least this time to send, or less if it is silent sooner. */
export const LEAST_PATIENCE_MS = MIN_SILENT_MS;

/** Decides when a sensor is silent. One isn't silent because this process didn't watch. */
export class SilenceWatch {
  /** The time of each sensor's last reading by this server's clock, in milliseconds since 1970. */
  readonly #receivedAt = new Map<string, number>();
  /** Until then, a sensor without a reading since the last break isn't silent. */
  #patientUntil = 0;
  /** When the last break ended. */
  #patientFrom = 0;

  /**
   * `watched` was stored by the process before; null without one. `timeOf` returns the time of a sensor's newest reading by the
   * server's clock, or null if it is unknown.
   */
  constructor(
    readonly silentAfterMs: number | null,
    watched: Watch | null,
    sensors: Iterable<WatchedSensor>,
    private now: number,
    private readonly timeOf: (air: SensorAir) => number | null,
  ) {
    this.#resume(watched, sensors);
  }

  /** Goes on at a time. If that is long after the one before, or earlier, there was a break. */
  goOn(now: number, sensors: Iterable<WatchedSensor>): void {
    const isBreak = now < this.now || now - this.now > ASLEEP_MS;
    const watched = this.watch();
    this.now = now;
    if (isBreak) this.#resume(watched, sensors);
  }

  received(sensor: string, now: number): void {
    this.#receivedAt.set(sensor, now);
  }

  /** Returns when a sensor is silent without another reading, in milliseconds since 1970. */
  silentFrom({ sensor, air }: WatchedSensor): number {
    const newest = this.timeOf(air) ?? Number.NEGATIVE_INFINITY;
    const receivedAt = this.#receivedAt.get(sensor);
    const afterMs = silentAfter(air, this);
    if (receivedAt !== undefined) return Math.max(newest, receivedAt) + afterMs;
    return Math.max(newest + afterMs, Math.min(this.#patientFrom + afterMs, this.#patientUntil));
  }

  /** Returns the time since the last break, in which the clock may have been set. */
  steadyMs(now: number): number {
    return now - this.#patientFrom;
  }

  /** Returns what the next start has to know. */
  watch(): Watch {
    const patienceMs = Math.max(0, this.#patientUntil - this.now);
    return { until: new Date(this.now).toISOString(), patienceMs };
  }

  /**
   * Goes on after a break. Sensors get as much time to send as it took, but not their whole `SILENT_AFTER` at every start: a server
   * that starts more often than that would never find a silence.
   */
  #resume(watched: Watch | null, sensors: Iterable<WatchedSensor>): void {
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
    this.#receivedAt.clear();
  }

  #longestSilence(sensors: Iterable<WatchedSensor>): number {
    let longest = this.silentAfterMs ?? LEAST_PATIENCE_MS;
    for (const { air } of sensors) longest = Math.max(longest, silentAfter(air, this));
    return longest;
  }

  /** A sensor with old readings that isn't silent has a slow clock, and sent readings before a restart. */
  #noteSlowClocks(sensors: Iterable<WatchedSensor>, until: number): void {
    for (const { sensor, air } of sensors) {
      const isOld = until - (this.timeOf(air) ?? until) > silentAfter(air, this);
      if (isOld && air.silentSince === null && !this.#receivedAt.has(sensor)) this.received(sensor, this.now);
    }
  }
}
