import type { SensorAir } from '../readings/air/air-state';
import { MIN_SILENT_MS, silentAfter } from '../readings/now/stale';
import type { Watch, WatchedSensor } from '../store/alert-store';

/** The interval at which all state is stored, including the time of the last round. */
export const STORE_ALL_MS = 60_000;
/** A longer time between two rounds means that the machine was asleep or its clock was set. */
const ASLEEP_MS = 60_000;

/** A shorter break counts as a restart and changes nothing. The stored time of the last round may be a minute old. */
const SHORT_BREAK_MS = STORE_ALL_MS + ASLEEP_MS;
/**
 * After a longer break, a sensor gets at least this much time to send, or its own time until silence if that is
 * shorter.
 */
export const LEAST_PATIENCE_MS = MIN_SILENT_MS;

/** Decides when a sensor is silent. Time in which no process was watching doesn't count. */
export class SilenceWatch {
  /** The arrival time of each sensor's last reading by this server's clock, in milliseconds since 1970. */
  readonly #receivedAt = new Map<string, number>();
  /** Before this time, a sensor without a reading since the last break isn't silent. */
  #patientUntil = 0;
  /** The end of the last break. */
  #patientFrom = 0;

  /**
   * `watched` is the state that the previous process stored, or null. `timeOf` returns the time of a sensor's newest
   * reading by the server's clock, or null if it is unknown.
   */
  constructor(
    private readonly silentAfterMsOf: (sensor: string) => number | null,
    watched: Watch | null,
    sensors: Iterable<WatchedSensor>,
    private now: number,
    private readonly timeOf: (air: SensorAir) => number | null,
  ) {
    this.#resume(watched, sensors);
  }

  /** Advances to `now`. If that is long after the previous time, or before it, there was a break. */
  goOn(now: number, sensors: Iterable<WatchedSensor>): void {
    const isBreak = now < this.now || now - this.now > ASLEEP_MS;
    const watched = this.watch();
    this.now = now;
    if (isBreak) this.#resume(watched, sensors);
  }

  received(sensor: string, now: number): void {
    this.#receivedAt.set(sensor, now);
  }

  /** Returns the time when a sensor becomes silent without another reading, in milliseconds since 1970. */
  silentFrom({ sensor, air }: WatchedSensor): number {
    const newest = this.timeOf(air) ?? Number.NEGATIVE_INFINITY;
    const receivedAt = this.#receivedAt.get(sensor);
    const afterMs = this.#afterMs({ sensor, air });
    if (receivedAt !== undefined) return Math.max(newest, receivedAt) + afterMs;
    return Math.max(newest + afterMs, Math.min(this.#patientFrom + afterMs, this.#patientUntil));
  }

  /** Returns the milliseconds since the last break, during which the clock may have been set. */
  steadyMs(now: number): number {
    return now - this.#patientFrom;
  }

  /** Returns the state to store for the next start. */
  watch(): Watch {
    const patienceMs = Math.max(0, this.#patientUntil - this.now);
    return { until: new Date(this.now).toISOString(), patienceMs };
  }

  /**
   * Resumes after a break. Sensors get as much time to send as the break took, but not a full `SILENT_AFTER` at every
   * start: a server that restarts often would then never find a silent sensor.
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

  #longestSilence(sensors: readonly WatchedSensor[]): number {
    if (sensors.length === 0) return this.silentAfterMsOf('') ?? LEAST_PATIENCE_MS;
    return sensors.reduce((longest, watched) => Math.max(longest, this.#afterMs(watched)), 0);
  }

  #afterMs({ sensor, air }: Pick<WatchedSensor, 'sensor' | 'air'>): number {
    return silentAfter(air, { silentAfterMs: this.silentAfterMsOf(sensor) });
  }

  /**
   * If a sensor has old readings but wasn't silent, its clock is slow, and it sent readings shortly before the restart.
   */
  #noteSlowClocks(sensors: Iterable<WatchedSensor>, until: number): void {
    for (const { sensor, air } of sensors) {
      const isOld = until - (this.timeOf(air) ?? until) > this.#afterMs({ sensor, air });
      if (isOld && air.silentSince === null && !this.#receivedAt.has(sensor)) this.received(sensor, this.now);
    }
  }
}
