import { describe, expect, test } from 'vitest';
import type { CurvePoint } from '../../../app/readings/room/curve';
import { findAirings } from '../../../app/readings/room/find-airings';
import { findingsOf, type RoomFindings } from '../../../app/readings/room/room-findings';
import { ventilationOf } from '../../../app/readings/room/ventilation';
import { OUTDOOR, RULES, seeded, simulate } from '../../support/readings/simulated-room';

/** Returns CO2 by minute: 1500 PPM for an hour, then a fall of 8 air changes an hour for `length` minutes, then `after`. */
function aired(length: number, after: (minutes: number, co2: number) => number, total = 120): CurvePoint[] {
  const fallen = (minutes: number) => OUTDOOR + 1075 * Math.exp((-8 * minutes) / 60);
  return Array.from({ length: total }, (_, minute) => {
    const since = minute - 60;
    const noise = minute % 3;
    if (since <= 0) return { minute, co2: 1500 + noise };
    return { minute, co2: (since <= length ? fallen(since) : after(since - length, fallen(length))) + noise };
  });
}

/** Findings of an earlier day, because nothing is said in the first day of a sensor. */
const DAY_BEFORE: RoomFindings = {
  ...findingsOf({ curve: [], errors: [] }, { from: -1440, to: 0 }, RULES),
  ...{ minutes: 1440, first: -1440, last: -1, covered: 1440 },
};

const said = (curve: CurvePoint[], now: number) => {
  const part = curve.filter(({ minute }) => minute <= now);
  const day = findingsOf({ curve: part, errors: [] }, { from: 0, to: now + 1 }, RULES);
  return ventilationOf({ days: [DAY_BEFORE, day], curve: part, rules: RULES, now }).airing;
};

describe('an airing', () => {
  test('is found with its start, end, fall and air changes', () => {
    const { ended, current } = findAirings(
      aired(12, (_, co2) => co2),
      OUTDOOR,
    );
    expect(current).toBe(null);
    expect(ended).toEqual([
      expect.objectContaining({ from: expect.closeTo(60, -1), to: expect.closeTo(72, -1), fromPpm: 1501 }),
    ]);
    expect(ended[0]?.airChangesPerHour).toBeCloseTo(8, 0);
  });

  test('is found behind a tilted window though people stay, but not when they leave', () => {
    const room = (after: { people: number; window: number }) =>
      simulate({
        ...{ days: 1, seed: 3, closed: 0.4, volume: 75, noise: 0.005 },
        people: (minute) => (minute < 600 ? 0 : minute < 645 ? 6 : after.people),
        window: (minute) => (minute >= 645 && minute < 675 ? after.window : 0),
      }).slice(0, 700);
    const { ended, current } = findAirings(room({ people: 6, window: 3.5 }), OUTDOOR);
    const [airing = current] = ended;
    expect(Math.abs((airing?.from ?? 0) - 645)).toBeLessThanOrEqual(3);
    expect(findAirings(room({ people: 0, window: 0 }), OUTDOOR)).toEqual({ ended: [], current: null });
  });

  test('isn’t a breath at the sensor', () => {
    const breath = Array.from({ length: 60 }, (_, minute) => ({
      minute,
      co2: minute === 30 ? 1600 : 900 + (minute % 3),
    }));
    expect(findAirings(breath, OUTDOOR)).toEqual({ ended: [], current: null });
  });

  test('isn’t a breath whose CO2 takes some minutes to spread', () => {
    const values = [612, 720, 1760, 1665, 1256, 724, 619, 562, 582];
    const breath = Array.from({ length: 90 }, (_, minute) => ({
      minute,
      co2: values[minute - 60] ?? 598 + (minute % 3),
    }));
    for (let now = 61; now < 90; now++)
      expect(findAirings(breath.slice(0, now), OUTDOOR), String(now)).toEqual({ ended: [], current: null });
  });

  test('isn’t a single low reading', () => {
    const dip = [629, 619, 525, 609, 612, 610, 611, 609];
    const curve = Array.from({ length: 90 }, (_, minute) => ({
      minute,
      co2: dip[minute - 60] ?? 625 + (minute % 3),
    }));
    expect(findAirings(curve, OUTDOOR)).toEqual({ ended: [], current: null });
  });

  test('isn’t a dip that is over once its end is known', () => {
    const dip = [880, 850, 815, 780, 750, 745, 790, 850, 890, 895];
    const curve = Array.from({ length: 90 }, (_, minute) => ({
      minute,
      co2: dip[minute - 60] ?? 900 + (minute % 3),
    }));
    expect(findAirings(curve, OUTDOOR).ended).toEqual([]);
  });

  test('takes at least four minutes', () => {
    const fallen = (length: number) =>
      findAirings(
        Array.from({ length: 90 }, (_, minute) => ({
          minute,
          co2: OUTDOOR + 1075 * Math.exp((-8 * Math.min(length, Math.max(0, minute - 60))) / 60),
        })),
        OUTDOOR,
      ).ended;
    expect(fallen(3)).toEqual([]);
    expect(fallen(5)).toHaveLength(1);
  });

  test('isn’t faster than a draught', () => {
    const fallen = aired(12, (_, co2) => co2).map(({ minute, co2 }) => ({
      minute,
      co2: minute <= 60 ? co2 : OUTDOOR + 1075 * Math.exp((-40 * (minute - 60)) / 60) + (minute % 3),
    }));
    expect(findAirings(fallen, OUTDOOR).ended).toEqual([]);
  });

  test.each([3, 6, 12])(
    'is found in a room that people have just left, with %s air changes an hour',
    (rate) => {
      const random = seeded(20_261_124);
      const leaving = Array.from({ length: 125 }, (_, minute) => {
        const fallen = 0.6 * Math.max(0, minute - 10) + rate * Math.max(0, minute - 120);
        return { minute, co2: (OUTDOOR + 1600 * Math.exp(-fallen / 60)) * (1 + 0.02 * (random() - 0.5)) };
      });
      const { current } = findAirings(leaving, OUTDOOR);
      expect(Math.abs((current?.from ?? 0) - 120)).toBeLessThanOrEqual(2);
    },
  );

  test('isn’t looked for in readings that are further apart than twelve minutes', () => {
    const slow = (interval: number) =>
      aired(40, (_, co2) => co2, 900).filter(({ minute }) => minute % interval === 0);
    expect(findAirings(slow(10), OUTDOOR).ended).toHaveLength(1);
    expect(findAirings(slow(15), OUTDOOR)).toEqual({ ended: [], current: null });
  });

  test('isn’t the noise of a sensor', () => {
    const random = seeded(20_261_124);
    const noisy = Array.from({ length: 600 }, (_, minute) => ({ minute, co2: 900 + 160 * (random() - 0.5) }));
    expect(findAirings(noisy, OUTDOOR)).toEqual({ ended: [], current: null });
  });

  test('isn’t the fall of a room that people have left', () => {
    const left = Array.from({ length: 400 }, (_, minute) => ({
      minute,
      co2: OUTDOOR + 900 * Math.exp((-0.8 * Math.max(0, minute - 60)) / 60),
    }));
    expect(findAirings(left, OUTDOOR)).toEqual({ ended: [], current: null });
  });

  test('ends with the readings, and is known soon after the last one', () => {
    const stopped = aired(12, () => Number.NaN, 73);
    const day = findingsOf({ curve: stopped, errors: [] }, { from: 0, to: 1440 }, RULES);
    expect(day.airings).toHaveLength(1);
    expect(findAirings(stopped, OUTDOOR).current).not.toBe(null);
  });
});

describe('the window', () => {
  test('can be closed at the target', () => {
    const curve = aired(40, (_, co2) => co2);
    expect(said(curve, 66)?.is_enough).toBe(false);
    expect(said(curve, 76)?.is_enough).toBe(true);
  });

  /** Returns CO2 by minute: 480 PPM for most of an hour, a rise to the value of minute 60, and then this course. */
  const opened = (course: (minutes: number) => number): CurvePoint[] =>
    Array.from({ length: 150 }, (_, minute) => {
      const rise = Math.max(0, minute - 20) / 40;
      const co2 = minute < 60 ? 480 + rise * (course(0) - 480) : course(minute - 60);
      return { minute, co2: co2 + (minute % 3) };
    });
  const saidIn = (curve: CurvePoint[], from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => said(curve, 60 + from + i));

  test.each([
    [1900, 1300, 10],
    [1300, 1200, 8],
  ])('gives no more where people keep CO2 at %s PPM, and is never said to be enough', (end, fall, rate) => {
    const curve = opened((minutes) => end + fall * Math.exp((-rate * minutes) / 60));
    const all = saidIn(curve, 0, 60);
    expect(all.filter((airing) => airing?.is_enough)).toEqual([]);
    // Once the course is known, neither minutes nor another end are said.
    for (const airing of saidIn(curve, 18, 24)) {
      expect(airing?.remaining_minutes ?? null).toBe(null);
      if (airing) expect(Math.abs((airing.ends_at_ppm ?? 0) - end)).toBeLessThan(0.15 * fall);
    }
    expect(all.some((airing) => airing?.ends_at_ppm)).toBe(true);
  });

  test('can be closed in good air where CO2 falls no further', () => {
    const curve = opened((minutes) => 800 + 900 * Math.exp((-10 * minutes) / 60));
    expect(saidIn(curve, 0, 12).filter((airing) => airing?.is_enough)).toEqual([]);
    expect(saidIn(curve, 16, 32).some((airing) => airing?.is_enough)).toBe(true);
  });

  test('wasn’t open for long enough in an empty room, where CO2 goes on falling slowly in good air', () => {
    const closedAt = 425 + 1890 * Math.exp((-9.5 * 8) / 60);
    const curve = opened((minutes) =>
      minutes <= 8
        ? 425 + 1890 * Math.exp((-9.5 * minutes) / 60)
        : 425 + (closedAt - 425) * Math.exp((-0.4 * (minutes - 8)) / 60),
    );
    expect(closedAt).toBeLessThan(RULES.threshold);
    expect(saidIn(curve, 0, 40).filter((airing) => airing?.is_enough)).toEqual([]);
  });

  test.each([0, 8])('wasn’t open for long enough if CO2 then rises by %s PPM a minute', (rise) => {
    const curve = opened((minutes) =>
      minutes <= 5
        ? OUTDOOR + 2075 * Math.exp((-8 * minutes) / 60)
        : OUTDOOR + 2075 * Math.exp(-2 / 3) + rise * (minutes - 5),
    );
    expect(saidIn(curve, 0, 40).filter((airing) => airing?.is_enough)).toEqual([]);
    expect(saidIn(curve, 12, 40).filter((airing) => airing !== null)).toEqual([]);
  });

  test('wasn’t open for long enough if CO2 rises again', () => {
    const closedEarly = aired(5, (minutes, co2) => co2 + 10 * minutes);
    for (let now = 66; now < 80; now++) expect(said(closedEarly, now)?.is_enough ?? false).toBe(false);
  });

  test('hasn’t been open long enough after a dip of less than 100 PPM', () => {
    const dip = Array.from({ length: 66 }, (_, minute) => ({
      minute,
      co2: 655 + (minute % 3) - (minute > 60 ? 9 * (minute - 60) : 0),
    }));
    for (let now = 61; now < 66; now++) expect(said(dip, now)?.is_enough ?? false).toBe(false);
  });
});
