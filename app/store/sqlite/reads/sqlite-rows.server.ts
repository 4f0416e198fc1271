import type { Reading } from '../../../readings/reading';
import { formatReadingTime } from '../../../readings/time/stored-time';

/** A row of the table `data`. `time` is in microseconds since 1970. */
export type Row = [id: number, sensor: number, time: number, co2: number | null, voc: number | null];

/** Returns the reading of a row, whose sensor has this name. */
export function toReading([id, , time, co2, voc]: Row, sensor: string): Reading {
  const reading: Reading = { id, co2, voc, created_at: formatReadingTime(time) };
  if (sensor) reading.sensor = sensor;
  return reading;
}
