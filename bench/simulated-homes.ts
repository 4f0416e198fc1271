/**
 * Homes with a hygrometer and no CO2 sensor for `npm run evaluate`: the mass balance of water vapour in steps of 30 s, with walls
 * and furniture that take it up and give it off, and air that cools while a window is open. Everything follows from the seed.
 */
import type { AirPoint } from '../app/readings/room/dry-airing';
import { absoluteHumidity } from '../app/readings/room/moist-air';
import { normal, seeded } from '../tests/support/readings/simulated-room';

const DAY = 1440;
export const HOME_DAYS = 14;
/** The first minute: Thursday, 29 October 2026. */
export const HOME_START = Date.UTC(2026, 9, 29) / 60_000;
const STEP_MINUTES = 0.5;
const HOURS = STEP_MINUTES / 60;
const AHEAD_MINUTES = 15;

export interface HomeAiring {
  /** Minutes since 1970. */
  from: number;
  to: number;
  /** Absolute humidity of the room at both times, in g/m³. */
  fromGrams: number;
  toGrams: number;
  /** By how much the room would get drier within `AHEAD_MINUTES` if the window stayed open, in g/m³. */
  leftGrams: number;
}

export interface SimulatedHome {
  name: string;
  points: AirPoint[];
  airings: HomeAiring[];
  /** True if the hygrometer's steps are too coarse to find airings. */
  isCoarse: boolean;
}

interface Home {
  /** The usual temperature and absolute humidity outdoors. */
  outdoors: [temperature: number, grams: number];
  /** In m³. */
  volume: number;
  /** Air changes an hour of the closed room. */
  closed: number;
  /** Water vapour in g/h in a minute of the day. */
  source(minute: number): number;
  /** The usual minutes at which a window is opened. */
  opened: readonly number[];
  /** Minutes between readings. */
  interval?: number;
  /** The standard deviations of the sensor's noise, and its steps. */
  noise?: [temperature: number, humidity: number];
  steps?: [temperature: number, humidity: number];
  /** The minutes by which the sensor lags. */
  lag?: number;
  /** Minutes of each airing. */
  minutes?: [least: number, most: number];
  /** Air changes an hour of the open window. */
  rate?: [least: number, most: number];
}

const isIn = (minute: number, from: number, to: number) => minute >= from * 60 && minute < to * 60;
const person = 50;
const living = (minute: number) =>
  (isIn(minute, 7, 8.5) || isIn(minute, 17, 23) ? 2.5 * person : 0) + (isIn(minute, 18.5, 19) ? 500 : 0) + 15;
const bedroom = (minute: number) => (minute >= 1350 || minute < 420 ? 2 * 40 : 5);
const bath = (minute: number) => (isIn(minute, 7, 7.15) || isIn(minute, 21, 21.15) ? 2200 : 10);
const studio = (minute: number) => (isIn(minute, 12, 12.4) || isIn(minute, 19, 19.5) ? 500 : 0) + person + 15;

const COLD: [number, number] = [3, 4.5];
const MILD: [number, number] = [12, 7];
const HOMES: Record<string, Home> = {
  'living, cold': { outdoors: COLD, volume: 75, closed: 0.4, source: living, opened: [8.5, 18, 21] },
  'living, mild': { outdoors: MILD, volume: 75, closed: 0.4, source: living, opened: [8.5, 18, 21] },
  'bedroom, cold': { outdoors: COLD, volume: 35, closed: 0.3, source: bedroom, opened: [7.1, 21.7] },
  'bedroom, mild': { outdoors: MILD, volume: 35, closed: 0.3, source: bedroom, opened: [7.1, 21.7] },
  'bedroom, every 5 min': {
    ...{ outdoors: COLD, volume: 35, closed: 0.3, source: bedroom, opened: [7.1, 21.7] },
    interval: 5,
  },
  'living, every 10 min': {
    ...{ outdoors: COLD, volume: 75, closed: 0.4, source: living, opened: [8.5, 18, 21] },
    interval: 10,
  },
  'bath, aired after showers': {
    ...{ outdoors: COLD, volume: 18, closed: 0.8, source: bath, opened: [7.3, 21.4, 13] },
  },
  'bath, never aired': { outdoors: COLD, volume: 18, closed: 1.2, source: bath, opened: [] },
  'studio, never aired': { outdoors: COLD, volume: 60, closed: 0.5, source: studio, opened: [] },
  'studio, slow sensor': {
    ...{ outdoors: COLD, volume: 60, closed: 0.4, source: studio, opened: [7.5, 13.2, 20.5], lag: 4 },
  },
  'studio, tilted': {
    ...{ outdoors: COLD, volume: 60, closed: 0.4, source: studio, opened: [7.5, 14, 21] },
    ...{ minutes: [20, 40], rate: [2.5, 3.5] },
  },
  'studio, closed early': {
    ...{ outdoors: COLD, volume: 60, closed: 0.4, source: studio, opened: [7.5, 14, 21], minutes: [3, 6] },
  },
  'living, noisy sensor': {
    ...{ outdoors: COLD, volume: 75, closed: 0.4, source: living, opened: [8.5, 18, 21] },
    noise: [0.1, 0.5],
  },
  'living, steps of 1 % and 0.1 °C': {
    ...{ outdoors: COLD, volume: 75, closed: 0.4, source: living, opened: [8.5, 18, 21], steps: [0.1, 1] },
  },
  'living, steps of 1 % and 1 °C': {
    ...{ outdoors: COLD, volume: 75, closed: 0.4, source: living, opened: [8.5, 18, 21], steps: [1, 1] },
  },
};

/** Simulates all homes, with seeds that follow from `seed`. */
export function simulatedHomes(seed: number): SimulatedHome[] {
  return Object.entries(HOMES).map(([name, home], i) => simulate(name, home, seed + 1000 * i));
}

/** Walls and furniture hold this many times the vapour of the air, and exchange it at these rates an hour. */
const STORED = 8;
const SORPTION = 1.2;
/** The air's heat comes back from the walls at this rate an hour; a window cools it at a third of its air changes. */
const WARMING = 8;
const COOLING_SHARE = 1 / 3;

function simulate(name: string, home: Home, seed: number): SimulatedHome {
  const random = seeded(seed);
  const between = ([least, most]: [number, number]) => least + random() * (most - least);
  const { interval = 1, lag = 1, noise = [0.02, 0.1], steps = [0.01, 0.1] } = home;
  const points: AirPoint[] = [];
  const airings: HomeAiring[] = [];
  let grams = home.outdoors[1] + 2.5;
  let [stored, temperature, shownGrams, shownTemperature] = [grams, 20.5, grams, 20.5];
  let [dayGrams, dayTemperature] = [0, 0];
  let planned: { from: number; to: number; rate: number }[] = [];
  let open: (HomeAiring & { rate: number }) | null = null;
  for (let step = 0; step < (HOME_DAYS * DAY) / STEP_MINUTES; step++) {
    const minute = step * STEP_MINUTES;
    const ofDay = minute % DAY;
    if (ofDay === 0) {
      [dayGrams, dayTemperature] = [0.7 * normal(random), 2 * normal(random)];
      planned = home.opened
        .filter(() => random() < 0.8)
        .map((usual) => {
          const from = minute + Math.round(usual * 60 + 20 * (random() - 0.5));
          const to = from + Math.round(between(home.minutes ?? [5, 25]));
          return { from, to, rate: between(home.rate ?? [4, 12]) };
        });
    }
    const outdoorGrams = home.outdoors[1] + dayGrams + 0.4 * Math.sin((2 * Math.PI * ofDay) / DAY);
    const outdoor = home.outdoors[0] + dayTemperature + 3 * Math.sin((2 * Math.PI * (ofDay - 540)) / DAY);
    const after = (before: number, airChanges: number) =>
      before +
      HOURS *
        (home.source(ofDay) / home.volume -
          airChanges * (before - outdoorGrams) -
          SORPTION * (before - stored));
    const window = planned.find(({ from, to }) => minute >= from && minute < to);
    if (window && !open)
      open = {
        ...{ from: HOME_START + window.from, to: HOME_START + window.to, rate: window.rate },
        ...{ fromGrams: grams, toGrams: grams, leftGrams: 0 },
      };
    if (open && !window) {
      const { rate, ...airing } = open;
      let ahead = grams;
      for (let i = 0; i < AHEAD_MINUTES / STEP_MINUTES; i++) ahead = after(ahead, home.closed + rate);
      airings.push({ ...airing, toGrams: grams, leftGrams: grams - ahead });
      open = null;
    }
    grams = after(grams, home.closed + (open?.rate ?? 0));
    stored += (HOURS * SORPTION * (grams - stored)) / STORED;
    const usual = 20.5 + 0.8 * Math.sin((2 * Math.PI * (ofDay - 600)) / DAY);
    temperature +=
      HOURS * (WARMING * (usual - temperature) - COOLING_SHARE * (open?.rate ?? 0) * (temperature - outdoor));
    const share = 1 - Math.exp(-STEP_MINUTES / lag);
    shownGrams += (grams - shownGrams) * share;
    shownTemperature += (temperature - shownTemperature) * (1 - Math.exp(-STEP_MINUTES / (lag + 2)));
    if (!Number.isInteger(minute) || minute % interval !== 0) continue;
    const saturated = absoluteHumidity({ temperature: shownTemperature, humidity: 100 });
    const humidity = Math.min(100, (100 * shownGrams) / saturated + noise[1] * normal(random));
    const shown = shownTemperature + noise[0] * normal(random);
    points.push({
      minute: HOME_START + minute,
      temperature: Math.round(shown / steps[0]) * steps[0],
      humidity: Math.round(humidity / steps[1]) * steps[1],
    });
  }
  return { name, points, airings, isCoarse: steps[0] > 0.5 };
}
