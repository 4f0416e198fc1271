import { expect } from 'vitest';
import type { AiringAnswer, VentilationAnswer } from '../../../app/readings/room/ventilation-answer';
import { simulate } from '../readings/simulated-room';

const SEED = 20_261_124;
const DAYS = 6;
const MINUTE = 60_000;
/** The midnight when the simulation starts, early enough that its last day is over. */
const START = Math.floor(Date.now() / 86_400_000) * 86_400_000 - (DAYS + 1) * 86_400_000;

/** The minutes of a day at which the window opens. */
const OPENED = [720, 960];
const isOpen = (minute: number) => OPENED.some((start) => minute >= start && minute < start + 12);

/** Returns one reading per minute of an office with four people and two airings a day. */
export function officeReadings(sensor: string) {
  const curve = simulate({
    ...{ days: DAYS, seed: SEED, closed: 0.6, volume: 60 },
    people: (minute) => (minute >= 480 && minute < 1050 ? 4 : 0),
    window: (minute) => (isOpen(minute) ? 8 : 0),
  });
  return curve.map(({ minute, co2 }) => ({
    ...{ sensor, co2: Number(co2.toFixed(1)), voc: null },
    created_at: new Date(START + minute * MINUTE).toISOString(),
  }));
}

/** Returns the time of a day's minute in the simulation; both count from 0. */
export const officeTime = (day: number, minute: number) =>
  new Date(START + (day * 1440 + minute) * MINUTE).toISOString();

/** Posts readings in batches of 1,000. */
export async function postBatches(url: string, readings: readonly object[]): Promise<void> {
  for (let i = 0; i < readings.length; i += 1000) {
    const answer = await fetch(`${url}/api/data`, {
      method: 'POST',
      body: JSON.stringify(readings.slice(i, i + 1000)),
    });
    expect(answer.status).toBe(201);
  }
}

export async function ventilationAt(url: string, sensor: string, at?: string): Promise<VentilationAnswer> {
  const query = new URLSearchParams({ sensor, ...(at && { at }) });
  const answer = await fetch(`${url}/api/ventilation?${query}`);
  expect(answer.status).toBe(200);
  return answer.json();
}

export async function airingsOf(url: string, sensor: string): Promise<AiringAnswer[]> {
  const answer = await fetch(`${url}/api/airings?${new URLSearchParams({ sensor })}`);
  expect(answer.status).toBe(200);
  return answer.json();
}

/** Expects the office's airings and ventilation, which are the same for both stores. */
export async function expectOffice(url: string, sensor: string): Promise<void> {
  const airings = await airingsOf(url, sensor);
  expect(airings).toHaveLength(OPENED.length * DAYS);
  for (const [i, { from, to, from_ppm, to_ppm, air_changes_per_hour }] of airings.entries()) {
    const start = Date.parse(officeTime(Math.floor(i / 2), OPENED[i % 2] ?? 0));
    expect(Math.abs(Date.parse(from) - start)).toBeLessThanOrEqual(2 * MINUTE);
    expect(Math.abs(Date.parse(to ?? '') - start - 12 * MINUTE)).toBeLessThanOrEqual(3 * MINUTE);
    expect((from_ppm ?? 0) - (to_ppm ?? 0)).toBeGreaterThan(100);
    expect(air_changes_per_hour).toBeGreaterThan(4);
  }
  const during = await ventilationAt(url, sensor, officeTime(5, 724));
  expect(during).toMatchObject({ sensor, believable: true, airing: { is_enough: false } });
  const { median = 0 } = during.air_changes ?? {};
  expect(median).toBeGreaterThan(0.6 * 0.85);
  expect(median).toBeLessThan(0.6 * 1.15);
  expect(during.usual_airing_minutes).not.toBe(null);
  expect(during.airing?.remaining_minutes?.[0]).toBeGreaterThan(0);
}
