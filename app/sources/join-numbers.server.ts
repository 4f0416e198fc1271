import { clockFault } from '../config/clock.server';
import type { Refusal } from '../http/answer';
import { logError } from '../http/guard/refusal-log.server';
import { dropOldest } from '../readings/drop-oldest';
import type { MetricField } from '../readings/metric';
import { MINUTE_MS } from '../readings/time/durations';

/** A sensor's numbers that arrive within this time become one reading. */
const JOIN_MS = 5000;
const RETRY_MS = 5000;
/** The most sensors with open readings. */
const MOST_OPEN = 1000;
/** The most readings that wait while the store can't be reached: three hours for a sensor that sends every 10 s. */
const MOST_WAITING = 1000;

/** After this time without a number from one name of a metric, another name counts. */
const SILENT_MS = 10 * MINUTE_MS;
/** The most metrics whose names are remembered. */
const MOST_NAMES = 10_000;

export interface SentNumber {
  sensor: string;
  /** The metric's name in the topic, such as `scd41_co2`. */
  name: string;
  field: MetricField;
  value: number;
}

/** A reading as it is posted. Without a time while the server's clock isn't set. */
export type JoinedReading = { sensor: string; created_at?: string } & { [F in MetricField]?: number | null };

/** `begunAt` is the time of the first number on the clock of `performance.now()`, which nobody sets. */
interface Joined {
  reading: JoinedReading;
  begunAt: number;
}

/**
 * Joins the single numbers from ESPHome into readings, with the time of their first number. While the store can't be
 * reached, the newest readings wait in memory.
 *
 * @param post stores a reading; returns a refusal if it can't be stored now, else null
 * @param isClockSet returns false while the server's clock is wrong
 */
export function joinNumbers(
  post: (reading: JoinedReading) => Promise<Refusal | null>,
  isClockSet: () => boolean = () => clockFault() === null,
) {
  const open = new Map<string, Joined & { timer: NodeJS.Timeout }>();
  /** The name that counts for each metric of a sensor, since a node may measure one twice. */
  const names = new Map<string, { name: string; at: number }>();
  const waiting: Joined[] = [];
  let retry: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;

  function begin(sensor: string): JoinedReading {
    const [oldest] = open.keys();
    if (oldest !== undefined && open.size >= MOST_OPEN) close(oldest);
    const joined = { reading: { sensor, co2: null, voc: null }, begunAt: performance.now() };
    open.set(sensor, { ...joined, timer: setTimeout(() => close(sensor), JOIN_MS).unref() });
    return joined.reading;
  }

  /** Sets the time once the clock is set, and never again: a repeated reading must have the same one. */
  function setTime({ reading, begunAt }: Joined): void {
    if (reading.created_at !== undefined || !isClockSet()) return;
    const ageMs = Math.round(performance.now() - begunAt);
    reading.created_at = new Date(Date.now() - ageMs).toISOString();
  }

  function close(sensor: string): void {
    const joined = open.get(sensor);
    if (!joined) return;
    open.delete(sensor);
    clearTimeout(joined.timer);
    setTime(joined);
    waiting.push(joined);
    if (waiting.length > MOST_WAITING) waiting.shift();
    if (!retry) send();
  }

  /** Posts the waiting readings one after another, until the store can't be reached. */
  function send(): void {
    clearTimeout(retry);
    retry = undefined;
    sending ??= sendAll().finally(() => {
      sending = undefined;
    });
  }

  async function sendAll(): Promise<void> {
    for (let joined = waiting[0]; joined; joined = waiting[0]) {
      setTime(joined);
      const refusal = await post(joined.reading).catch((error) => {
        logError(error);
        return null;
      });
      if (refusal) {
        retry = setTimeout(send, RETRY_MS).unref();
        return;
      }
      // Newer readings may have pushed this one out meanwhile.
      if (waiting[0] === joined) waiting.shift();
    }
  }

  return {
    /**
     * Adds a number. If the open reading already has the metric, begins the next reading. If numbers with another name count
     * for the metric, ignores this one and returns that name.
     */
    add({ sensor, name, field, value }: SentNumber): string | null {
      const key = `${field} ${sensor}`;
      const counting = names.get(key);
      const at = performance.now();
      if (counting && counting.name !== name && at - counting.at < SILENT_MS) return counting.name;
      names.delete(key);
      names.set(key, { name, at });
      dropOldest(names, MOST_NAMES);
      if ((open.get(sensor)?.reading[field] ?? null) !== null) close(sensor);
      const reading = open.get(sensor)?.reading ?? begin(sensor);
      reading[field] = value;
      return null;
    },
    /** Stores the received readings that the store accepts. */
    async stop(): Promise<void> {
      for (const sensor of [...open.keys()]) close(sensor);
      send();
      await sending;
      clearTimeout(retry);
    },
  };
}
