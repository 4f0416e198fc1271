import type { Refusal } from '../http/answer';
import type { MetricField } from '../readings/metric';

/** The numbers of a sensor that arrive within this time are one reading. */
const JOIN_MS = 5000;
const RETRY_MS = 10_000;
/** The most readings that wait for a store that can't be reached: three hours of a sensor that sends every 10 s. */
const MOST_WAITING = 1000;

interface JoinedReading {
  topic: string;
  values: Record<string, unknown>;
}

/**
 * Joins the numbers that ESPHome sends one by one to readings, with the time of their first number. While the store can't be
 * reached, the newest readings wait in memory.
 *
 * @param post stores a reading. Returns the reason why it can't be stored now, else null
 */
export function joinNumbers(post: (topic: string, bytes: Buffer) => Promise<Refusal | null>) {
  const open = new Map<string, { reading: JoinedReading; timer: NodeJS.Timeout }>();
  let waiting: JoinedReading[] = [];
  let retry: NodeJS.Timeout | undefined;
  let sending: Promise<void> = Promise.resolve();

  function close(sensor: string): void {
    const joined = open.get(sensor);
    if (!joined) return;
    open.delete(sensor);
    clearTimeout(joined.timer);
    waiting = [...waiting, joined.reading].slice(-MOST_WAITING);
    sending = sending.then(send);
  }

  async function send(): Promise<void> {
    clearTimeout(retry);
    for (let reading = waiting[0]; reading; reading = waiting[0]) {
      const refusal = await post(reading.topic, Buffer.from(JSON.stringify(reading.values)));
      if (refusal) {
        retry = setTimeout(() => {
          sending = sending.then(send);
        }, RETRY_MS).unref();
        return;
      }
      waiting = waiting.filter((each) => each !== reading);
    }
  }

  return {
    /** Adds a number. A metric that the open reading has begins the next one. ESPHome sends `nan` for no value. */
    add({ sensor, field }: { sensor: string; field: MetricField }, text: string): void {
      if (/^nan$/i.test(text.trim())) return;
      const known = open.get(sensor);
      if (known && field in known.reading.values) close(sensor);
      const joined = open.get(sensor) ?? begin(sensor);
      joined.reading.values[field] = text;
    },
    /** Stores what has arrived, as far as the store can take it. */
    async stop(): Promise<void> {
      for (const sensor of [...open.keys()]) close(sensor);
      await sending;
      clearTimeout(retry);
    },
  };

  function begin(sensor: string) {
    const reading = {
      topic: `${sensor}/sensor`,
      values: { sensor, created_at: new Date().toISOString() } as Record<string, unknown>,
    };
    const timer = setTimeout(() => close(sensor), JOIN_MS).unref();
    const joined = { reading, timer };
    open.set(sensor, joined);
    return joined;
  }
}
