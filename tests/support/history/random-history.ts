import type { Reading } from '../../../app/readings/reading';

/** Seconds between the readings of a sensor, from one that posts every second to one that posts every hour. */
const BEATS = [1, 5, 15, 60, 300, 420, 900, 1800, 3600];

/**
 * Returns the readings of one sensor in a span, oldest first: stretches of different beats with gaps between them, some
 * without one of the metrics or with each in readings of its own, and values that wander through all levels.
 *
 * @param random returns numbers from 0 to 1
 * @param from seconds since 1970
 * @param seconds the length of the span
 * @param limit about how many readings to make
 */
export function randomHistory(random: () => number, from: number, seconds: number, limit: number): Reading[] {
  const readings: Reading[] = [];
  const oneOf = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T;
  const end = from + seconds;
  let time = from + random() * 600;
  let co2 = 900;
  while (time < end && readings.length < limit) {
    const beat = oneOf(BEATS.filter((each) => limit - readings.length > 300 || each > 60));
    const hasCo2 = random() < 0.85;
    const hasVoc = !hasCo2 || random() < 0.7;
    // Two sensors of one name may send a metric each.
    const apart = hasCo2 && hasVoc && random() < 0.4 ? oneOf([0.1, 0.5, 0.9]) : null;
    const until = time + Math.min(beat * (5 + random() * 200), seconds / 8);
    for (; time < Math.min(until, end); time += beat * (0.9 + random() * 0.2)) {
      co2 = Math.max(380, co2 + (random() - 0.5) * 400 + (co2 > 2300 ? -150 : 0));
      const created_at = new Date(Math.round(time * 1000)).toISOString();
      const only = apart === null ? null : random() < apart ? 'co2' : 'voc';
      const values = {
        co2: hasCo2 && only !== 'voc' ? Math.round(co2) : null,
        voc: hasVoc && only !== 'co2' ? Math.round(co2 / 2.5) : null,
      };
      readings.push({ id: readings.length + 1, ...values, created_at });
    }
    if (random() < 0.5) time += random() * 20_000;
  }
  return readings;
}
