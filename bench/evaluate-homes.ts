/** Evaluates what airboard says from humidity alone, in simulated homes with a hygrometer. */
import { type AirPoint, currentDryAiring, findDryAirings } from '../app/readings/room/dry-airing';
import { LEAD_MINUTES } from '../app/readings/room/room-findings';
import {
  HOME_DAYS,
  HOME_START,
  type HomeAiring,
  type SimulatedHome,
  simulatedHomes,
} from './simulated-homes';

const DAY = 1440;
/** An airing should be found if it dries the room by this much, in g/m³. */
const LEAST_GRAMS = 0.8;
/** Answers are asked for until this many minutes after an airing. */
const AFTERWARDS = 15;
/** A window was closed too early if the room would have got drier by this share of the whole fall. */
const EARLY_SHARE = 0.25;

/** Returns the rows of the table. */
export function evaluateHomes(seed: number): [string, unknown][] {
  const counts = { found: 0, all: 0, enough: 0, could: 0, wrong: 0, early: 0 };
  const wrong: { name: string; count: number }[] = [];
  let coarse = 0;
  for (const home of simulatedHomes(seed)) {
    const found = foundIn(home);
    if (home.isCoarse) {
      coarse += found.length;
      continue;
    }
    const real = home.airings.filter(({ fromGrams, toGrams }) => fromGrams - toGrams >= LEAST_GRAMS);
    const seen = real.filter((airing) => found.some((each) => touches(each, airing)));
    counts.all += real.length;
    counts.found += seen.length;
    const others = found.filter((each) => !home.airings.some((airing) => touches(each, airing)));
    wrong.push({ name: home.name, count: (7 * others.length) / HOME_DAYS });
    for (const airing of real.slice(0, 12)) {
      const enoughAt = saidEnough(home, airing);
      const left = airing.leftGrams / (airing.fromGrams - airing.toGrams + airing.leftGrams);
      const isEarly = left > EARLY_SHARE;
      if (isEarly) counts.early += 1;
      else counts.could += 1;
      if (enoughAt !== null) counts[isEarly ? 'wrong' : 'enough'] += 1;
    }
  }
  const mean = wrong.reduce((sum, { count }) => sum + count, 0) / wrong.length;
  const many = wrong.filter(({ count }) => count > 1).map(({ name, count }) => `${name} ${count}`);
  return [
    ['humidity alone: airings found', `${counts.found} of ${counts.all}`],
    [
      'humidity alone: false airings a week',
      `mean ${mean.toFixed(2)}; above 1: ${many.join(', ') || 'none'}`,
    ],
    ['humidity alone: "the air gets no drier" where that is so', `${counts.enough} of ${counts.could}`],
    ['humidity alone: the same after a window was closed early', `${counts.wrong} of ${counts.early}`],
    ['humidity in steps of 1 % and 1 °C: airings', coarse],
  ];
}

const touches = (a: Pick<HomeAiring, 'from' | 'to'>, b: HomeAiring) =>
  a.from <= b.to + 10 && a.to >= b.from - 10;

function partOf({ points }: SimulatedHome, from: number, to: number): AirPoint[] {
  return points.filter(({ minute }) => minute >= from && minute < to);
}

function foundIn(home: SimulatedHome) {
  return Array.from({ length: HOME_DAYS }, (_, day) => HOME_START + day * DAY).flatMap((from) =>
    findDryAirings(partOf(home, from - LEAD_MINUTES, from + DAY), { from, to: from + DAY }),
  );
}

/** Returns the minute in which it was first said that the window can be closed; null if it wasn't. */
function saidEnough(home: SimulatedHome, { from, to }: HomeAiring): number | null {
  const day = Math.floor((from - HOME_START) / DAY) * DAY + HOME_START;
  for (let now = from; now <= to + AFTERWARDS; now++) {
    const said = currentDryAiring(partOf(home, day - LEAD_MINUTES, now + 1), now);
    if (said?.isEnough) return now;
  }
  return null;
}
