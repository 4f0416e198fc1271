/**
 * Rooms for `npm run evaluate`, simulated for 28 days by the mass balance of CO2 in steps of 30 s, with people, windows and
 * sensors of many kinds. Everything follows from the seed.
 */
import type { CurvePoint } from '../app/readings/room/curve';
import { ENOUGH_EXCESS_PPM } from '../app/readings/room/ventilation';
import { normal, OUTDOOR as OUTDOOR_PPM, seeded } from '../tests/support/readings/simulated-room';

export const DAYS = 28;
const DAY = 1440;
/** The first minute: Thursday, 29 October 2026. */
export const START = Date.UTC(2026, 9, 29) / 60_000;
const STEP_MINUTES = 0.5;
const HOURS = STEP_MINUTES / 60;
/** CO2 of a person awake, in PPM an hour in 1 m³. Asleep two thirds. */
const PERSON = 18_000;
const ASLEEP = 2 / 3;

/** A time with an open window. */
export interface TrueAiring {
  /** Minutes since 1970. */
  from: number;
  to: number;
  /** CO2 of the room at both times. */
  fromPpm: number;
  toPpm: number;
  /** The minute in which CO2 reached the target; null if the window was closed before. */
  reachedAt: number | null;
  /** The minute in which it would be reached with the window left open; null if that takes over two hours. */
  wouldReachAt: number | null;
  airChanges: number;
}

export interface SimulatedRoom {
  name: string;
  /** Air changes an hour of the closed room; null if they change. */
  closed: number | null;
  /** The minutes between readings. */
  interval: number;
  isTilted: boolean;
  isAlwaysInhabited: boolean;
  /** The kind of error of the sensor, or null for a good one. */
  fault: 'offset' | 'estimate' | null;
  /** The sensor's readings, one for each interval. */
  curve: CurvePoint[];
  airings: TrueAiring[];
  /** The room's CO2 of each minute from `START` on. */
  truth: number[];
}

/** How a kind of room is used. Times are minutes of the day. */
interface Use {
  /** In m³. */
  volume: number;
  /** The CO2 of people in a minute, in persons awake. `size` is a number from 0 to 1 that differs by day. */
  people(minute: number, isWeekend: boolean, size: number): number;
  /** The usual minutes at which a window is opened. */
  opened: readonly number[];
  isAlwaysInhabited?: boolean;
}

const at = (hours: number, minutes = 0) => hours * 60 + minutes;
const isIn = (minute: number, from: number, to: number) => minute >= from && minute < to;
const isNight = (minute: number) => minute >= at(22, 30) || minute < at(7);

const USES = {
  office: {
    volume: 45,
    people: (minute, isWeekend, size) =>
      !isWeekend && (isIn(minute, at(8), at(12)) || isIn(minute, at(12, 45), at(17)))
        ? 1 + Math.round(2 * size)
        : 0,
    opened: [at(10), at(12), at(15)],
  },
  bedroom: {
    volume: 40,
    people: (minute) => (isNight(minute) ? 2 * ASLEEP : 0),
    opened: [at(7, 5), at(21, 45)],
  },
  living: {
    volume: 75,
    people: (minute, isWeekend, size) =>
      isIn(minute, at(7), at(8, 30)) || isIn(minute, isWeekend ? at(10) : at(17), at(23))
        ? 2 + Math.round(2 * size)
        : 0,
    opened: [at(8, 30), at(18, 30), at(21)],
  },
  class: {
    volume: 190,
    people: (minute, isWeekend) =>
      !isWeekend && [at(8), at(9, 30), at(11), at(13)].some((start) => isIn(minute, start, start + 75))
        ? 20
        : 0,
    opened: [at(9, 15), at(10, 45), at(12, 15), at(14, 15)],
  },
  studio: {
    volume: 60,
    people: (minute) => (isNight(minute) ? 2 * ASLEEP : 1),
    opened: [at(7, 30), at(13), at(21)],
    isAlwaysInhabited: true,
  },
} satisfies Record<string, Use>;

/** How a room differs from others of its use. */
interface Variation {
  use: keyof typeof USES;
  /** Air changes an hour of the closed room. */
  closed: number;
  /** Minutes between readings. */
  interval?: number;
  /** The standard deviation of the sensor's noise, in PPM. */
  noise?: number;
  /** The step of the sensor's values, in PPM. */
  step?: number;
  offset?: number;
  gain?: number;
  /** PPM a day, corrected each week to 400 in outdoor air. */
  drift?: number;
  /** Values below are shown as this. */
  floor?: number;
  /** The sensor estimates CO2 from VOC, with this floor. */
  estimateFloor?: number;
  /** The minutes by which the sensor lags. */
  lag?: number;
  /** An open door to another room for half of the time. */
  hasDoor?: boolean;
  /** Ventilation from 1 to 5 air changes an hour that follows CO2. */
  isControlled?: boolean;
  /** Additional air changes of a window that is always ajar. */
  ajar?: number;
  /** The wind changes the air changes by this factor. */
  wind?: number;
  /** Persons whose CO2 is always there: pets. */
  pets?: number;
  hasCandles?: boolean;
  /** Somebody breathes at the sensor three times a day. */
  isBreathedOn?: boolean;
  /** Windows are tilted: 3 to 3.5 air changes an hour for 20 to 40 minutes. */
  isTilted?: boolean;
  /** Windows are closed after 3 to 8 minutes. */
  isClosedEarly?: boolean;
  isNeverAired?: boolean;
  /** The airings of each day, and the minutes of each, instead of 5 to 30. */
  airings?: number;
  minutes?: number;
}

const VARIATIONS: Record<string, Variation> = {
  'office 0.3': { use: 'office', closed: 0.3 },
  'office 0.6': { use: 'office', closed: 0.6 },
  'office 1.0': { use: 'office', closed: 1 },
  'bedroom 0.2': { use: 'bedroom', closed: 0.2 },
  'bedroom 0.5': { use: 'bedroom', closed: 0.5 },
  'bedroom 0.8': { use: 'bedroom', closed: 0.8 },
  'living 0.3': { use: 'living', closed: 0.3 },
  'living 0.6': { use: 'living', closed: 0.6 },
  'class 0.4': { use: 'class', closed: 0.4 },
  'class 0.8': { use: 'class', closed: 0.8 },
  'office 2.0': { use: 'office', closed: 2 },
  'living 3.0': { use: 'living', closed: 3 },
  'office every 2 min': { use: 'office', closed: 0.5, interval: 2 },
  'bedroom every 2 min': { use: 'bedroom', closed: 0.4, interval: 2 },
  'office every 5 min': { use: 'office', closed: 0.5, interval: 5 },
  'living every 5 min': { use: 'living', closed: 0.5, interval: 5 },
  'office every 5 min, noise 30': { use: 'office', closed: 0.5, interval: 5, noise: 30 },
  'office every 10 min': { use: 'office', closed: 0.5, interval: 10 },
  'class every 10 min': { use: 'class', closed: 0.6, interval: 10 },
  'office, noise 1.5': { use: 'office', closed: 0.5, noise: 1.5 },
  'living, noise 20': { use: 'living', closed: 0.5, noise: 20 },
  'office, noise 30': { use: 'office', closed: 0.5, noise: 30 },
  'office, steps of 10': { use: 'office', closed: 0.6, noise: 1.5, step: 10 },
  'office, steps of 10, noise 5': { use: 'office', closed: 0.6, noise: 5, step: 10 },
  'office +50': { use: 'office', closed: 0.5, offset: 50 },
  'office −148': { use: 'office', closed: 0.5, offset: -148 },
  'bedroom +148': { use: 'bedroom', closed: 0.5, offset: 148 },
  'living, gain 5 %': { use: 'living', closed: 0.5, gain: 1.05 },
  'office, drift': { use: 'office', closed: 0.5, drift: 4 },
  'office, floor 400': { use: 'office', closed: 0.6, offset: -20, floor: 400 },
  'living, lag': { use: 'living', closed: 0.5, lag: 5 },
  'bedroom with a door': { use: 'bedroom', closed: 0.3, hasDoor: true },
  'office, controlled': { use: 'office', closed: 1, isControlled: true },
  'bedroom, ajar': { use: 'bedroom', closed: 0.4, ajar: 2 },
  'living, wind': { use: 'living', closed: 0.5, wind: 1.5 },
  'living with pets': { use: 'living', closed: 0.5, pets: 0.3 },
  'living with candles': { use: 'living', closed: 0.4, hasCandles: true },
  'office, breaths': { use: 'office', closed: 0.5, isBreathedOn: true, isNeverAired: true },
  'class, tilted': { use: 'class', closed: 0.4, isTilted: true },
  'office, tilted': { use: 'office', closed: 0.4, isTilted: true },
  'office, closed early': { use: 'office', closed: 0.4, isClosedEarly: true },
  'class, closed early': { use: 'class', closed: 0.4, isClosedEarly: true },
  'bedroom, never aired': { use: 'bedroom', closed: 0.5, isNeverAired: true },
  'living, estimate 400': { use: 'living', closed: 0.5, estimateFloor: 400 },
  'living, estimate 500': { use: 'living', closed: 0.5, estimateFloor: 500 },
  'studio, 3 × 8 min': { use: 'studio', closed: 0.4, airings: 3, minutes: 8 },
  'studio, 3 × 15 min': { use: 'studio', closed: 0.4, airings: 3, minutes: 15 },
  'studio, 5 × 10 min': { use: 'studio', closed: 0.4, airings: 5, minutes: 10 },
};

/** Simulates the chosen rooms one after the other, with seeds that follow from `seed`. */
export function* simulatedRooms(seed: number, isChosen: (name: string) => boolean): Generator<SimulatedRoom> {
  for (const [i, [name, variation]] of Object.entries(VARIATIONS).entries())
    if (isChosen(name)) yield simulate(name, variation, seed + 1000 * i);
}

interface OpenWindow {
  from: number;
  to: number;
  rate: number;
}

function simulate(name: string, variation: Variation, seed: number): SimulatedRoom {
  const random = seeded(seed);
  const use: Use = USES[variation.use];
  const { closed, interval = 1, lag = 0 } = variation;
  const opened = planned(variation, use, random);
  const airings: TrueAiring[] = [];
  const truth: number[] = [];
  const curve: CurvePoint[] = [];
  const target = OUTDOOR_PPM + ENOUGH_EXCESS_PPM;
  let [co2, shown, next, current] = [600, 600, 0, null as TrueAiring | null];
  let outdoorOfDay = 0;
  let sizeOfDay = 0;
  let windOfHour = 1;
  for (let step = 0; step < (DAYS * DAY) / STEP_MINUTES; step++) {
    const minute = step * STEP_MINUTES;
    const [day, ofDay] = [Math.floor(minute / DAY), minute % DAY];
    if (ofDay === 0) [outdoorOfDay, sizeOfDay] = [4 * normal(random), random()];
    if (minute % 60 === 0) windOfHour = (variation.wind ?? 1) ** (2 * random() - 1);
    // The first day is a Thursday.
    const isWeekend = [2, 3].includes(day % 7);
    const outdoor = OUTDOOR_PPM + 6 * Math.sin((2 * Math.PI * ofDay) / DAY) + outdoorOfDay;
    const window = opened[next];
    if (window && minute >= window.to) {
      if (current) airings.push(closedAt(current, START + window.to, co2, target));
      current = null;
      next += 1;
    } else if (window && minute >= window.from) {
      current ??= { ...startOf(window, co2), reachedAt: null, wouldReachAt: null };
      if (co2 <= target) current.reachedAt ??= START + minute;
    }
    const after = (before: number, ofDay: number, openRate: number) => {
      const isCandle = variation.hasCandles && isIn(ofDay, at(19), at(21, 30));
      const people = use.people(ofDay, isWeekend, sizeOfDay) + (variation.pets ?? 0) + (isCandle ? 1.5 : 0);
      const controlled = variation.isControlled ? Math.min(4, Math.max(0, (before - 700) / 75)) : 0;
      const isDoorOpen =
        variation.hasDoor && isIn(ofDay, at(7), at(22, 30)) && Math.floor(ofDay / 60) % 2 === 0;
      const rate =
        (closed + (variation.ajar ?? 0) + (isDoorOpen ? 1.2 : 0)) * windOfHour + controlled + openRate;
      return (
        before + (people * PERSON * HOURS) / use.volume - (before - outdoor) * (1 - Math.exp(-rate * HOURS))
      );
    };
    if (window && minute === window.from) {
      let [ahead, ends] = [co2, minute];
      while (ahead > target && ends < minute + 120) {
        ahead = after(ahead, ends % DAY, window.rate);
        ends += STEP_MINUTES;
      }
      if (current) current.wouldReachAt = ahead <= target ? START + ends : null;
    }
    co2 = after(co2, ofDay, current?.airChanges ?? 0);
    shown += lag ? (co2 - shown) * (1 - Math.exp(-STEP_MINUTES / lag)) : co2 - shown;
    if (Number.isInteger(minute)) {
      truth.push(co2);
      if (minute % interval === 0)
        curve.push({
          minute: START + minute,
          co2: sensed(shown + breathOf(variation, ofDay), minute, variation, random),
        });
    }
  }
  const isVariable = variation.isControlled || variation.hasDoor || variation.wind !== undefined;
  const isEstimate = variation.estimateFloor !== undefined;
  return {
    name,
    closed: isVariable ? null : closed + (variation.ajar ?? 0),
    interval,
    isTilted: variation.isTilted ?? false,
    isAlwaysInhabited: use.isAlwaysInhabited ?? false,
    fault: isEstimate ? 'estimate' : Math.abs(variation.offset ?? 0) > 75 ? 'offset' : null,
    ...{ curve, airings, truth },
  };
}

const startOf = ({ from, to, rate }: OpenWindow, co2: number) => ({
  ...{ from: START + from, to: START + to, fromPpm: co2, toPpm: co2, airChanges: rate },
});

const closedAt = (airing: TrueAiring, to: number, co2: number, target: number): TrueAiring => ({
  ...airing,
  ...{ to, toPpm: co2, reachedAt: airing.reachedAt ?? (co2 <= target ? to : null) },
});

/** Returns the times with an open window, in minutes from the start. */
function planned(variation: Variation, use: Use, random: () => number): OpenWindow[] {
  if (variation.isNeverAired) return [];
  const chance = variation.airings ? 1 : 0.5 + 0.4 * random();
  const times = Array.from(
    { length: variation.airings ?? 0 },
    (_, i) => at(8) + (i * at(14)) / (variation.airings ?? 1),
  );
  const found: OpenWindow[] = [];
  for (let day = 0; day < DAYS; day++) {
    const isWeekend = [2, 3].includes(day % 7);
    if (isWeekend && ['office', 'class'].includes(variation.use)) continue;
    for (const usual of variation.airings ? times : use.opened) {
      if (random() >= chance) continue;
      const from = day * DAY + Math.round(usual + 20 * (random() - 0.5));
      const most = variation.isClosedEarly ? [3, 8] : variation.isTilted ? [20, 40] : [5, 30];
      const length =
        variation.minutes ?? Math.round((most[0] ?? 0) + random() * ((most[1] ?? 0) - (most[0] ?? 0)));
      const rate = variation.isTilted
        ? 3 + random() / 2
        : variation.airings
          ? 6 + 4 * random()
          : 4 + 8 * random();
      found.push({ from, to: from + length, rate });
    }
  }
  return found;
}

/** A breath at the sensor at 9:00, 13:30 and 16:00: 1100 PPM more, falling within minutes. */
function breathOf({ isBreathedOn }: Variation, ofDay: number): number {
  const since = Math.min(
    ...[at(9), at(13, 30), at(16)].map((time) => (ofDay >= time ? ofDay - time : Infinity)),
  );
  return isBreathedOn && since < 12 ? 1100 * Math.exp(-since / 2.5) : 0;
}

/** Returns what the sensor shows. */
function sensed(co2: number, minute: number, variation: Variation, random: () => number): number {
  const { noise = 5, step = 1, offset = 0, gain = 1, drift = 0, floor = 0, estimateFloor } = variation;
  const drifted = drift * ((minute / DAY) % 7);
  let value = co2 * gain + offset + drifted + noise * normal(random);
  if (estimateFloor !== undefined) {
    // Follows VOC: exaggerated, with slow waves, and cut at its floor.
    const wave = 120 * Math.sin(minute / 97) + 60 * Math.sin(minute / 31);
    value = Math.max(estimateFloor, estimateFloor + 1.3 * (co2 - 560) + wave);
  }
  return Math.max(floor, Math.round(value / step) * step);
}
