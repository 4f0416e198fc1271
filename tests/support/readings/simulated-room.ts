import type { CurvePoint } from '../../../app/readings/room/curve';
import { findingsOf, LEAD_MINUTES, type RoomFindings } from '../../../app/readings/room/room-findings';

/** The CO2 of outdoor air, in PPM. */
export const OUTDOOR = 425;
export const RULES = { outdoor: OUTDOOR, threshold: 1000 };
const DAY = 1440;
/** CO2 from a seated person, in PPM per hour in 1 m³: 18 litres per hour (Persily and de Jonge, Indoor Air 2017). */
const PERSON = 18_000;

/** A room simulated by mass balance, minute by minute from midnight UTC. */
export interface SimulatedRoom {
  days: number;
  seed: number;
  /** Air changes per hour with closed windows. */
  closed: number;
  /** In cubic metres. */
  volume: number;
  /** The constant error of the sensor, in PPM. */
  offset?: number;
  /** The standard deviation of the sensor's noise, as a share of the value. */
  noise?: number;
  /** The people in the room in a minute of the day. */
  people: (minuteOfDay: number, day: number) => number;
  /** Additional air changes per hour by an open window. */
  window?: (minuteOfDay: number, day: number, co2: number) => number;
}

/** Returns the sensor's readings. */
export function simulate(room: SimulatedRoom): CurvePoint[] {
  const { offset = 0, noise = 0.01, window = () => 0 } = room;
  const random = seeded(room.seed);
  const points: CurvePoint[] = [];
  let co2 = OUTDOOR;
  for (let minute = 0; minute < room.days * DAY; minute++) {
    const [of, day] = [minute % DAY, Math.floor(minute / DAY)];
    const source = (room.people(of, day) * PERSON) / room.volume;
    co2 += (source - (room.closed + window(of, day, co2)) * (co2 - OUTDOOR)) / 60;
    points.push({ minute, co2: (co2 + offset) * (1 + noise * normal(random)) });
  }
  return points;
}

/** Returns the findings of each day of a curve. */
export function findingsOfDays(curve: readonly CurvePoint[], days: number): RoomFindings[] {
  return Array.from({ length: days }, (_, day) => {
    const [from, to] = [day * DAY, (day + 1) * DAY];
    // A simulation has a point for each minute from 0.
    const part = curve.slice(Math.max(0, from - LEAD_MINUTES), to);
    return findingsOf({ curve: part, errors: [] }, { from, to }, RULES);
  });
}

/** Returns a generator of numbers from 0 to 1, the same for a seed. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Returns a normally distributed number with a standard deviation of 1. */
export function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
