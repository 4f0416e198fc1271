import { describe, expect, test } from 'vitest';
import {
  type AirPoint,
  currentDryAiring,
  findDryAirings,
  isTooCoarse,
} from '../../../app/readings/room/dry-airing';
import { absoluteHumidity, dewPoint, errorOf, humidityAtWall } from '../../../app/readings/room/moist-air';
import { type MoistHour, moistureOf } from '../../../app/readings/room/moisture';

describe('moist air', () => {
  // Saturation pressures of WMO-No. 8, table 4.B.1, and of the Smithsonian tables, and a calculator's dew points.
  test.each([
    [20, 50, 8.6, 9.3],
    [25, 60, 13.8, 16.7],
    [0, 100, 4.9, 0],
    [-10, 80, 1.9, -12.8],
    [30, 100, 30.3, 30],
  ])('%d °C and %d % of humidity: %d g/m³, dew point %d °C', (temperature, humidity, grams, dew) => {
    const air = { temperature, humidity };
    expect(absoluteHumidity(air)).toBeCloseTo(grams, 0);
    expect(Math.abs(absoluteHumidity(air) - grams)).toBeLessThan(0.1);
    expect(Math.abs((dewPoint(air) ?? 99) - dew)).toBeLessThan(0.15);
  });

  test('has no dew point without water', () => {
    expect(dewPoint({ temperature: 20, humidity: 0 })).toBe(null);
  });

  test('the example of DIN 4108-2 is at 80 %: 20 °C and 50 % inside, −5 °C outside', () => {
    expect(humidityAtWall({ temperature: 20, humidity: 50 }, -5)).toBeCloseTo(80.6, 0);
  });

  test('its error is that of both values', () => {
    expect(errorOf(absoluteHumidity, { temperature: 20, humidity: 50 })).toBeCloseTo(0.54, 1);
  });
});

const outdoors = { temperature: 3, humidity: 80 };
const points = (temperature: number, humidity: number): AirPoint[] => [
  { minute: 1000, temperature, humidity },
];
const asked = (
  air: AirPoint[],
  hours: MoistHour[] = [],
  outside: Parameters<typeof moistureOf>[1] = outdoors,
) => moistureOf({ points: air, hours, airing: null }, outside, 1005);

describe('the moisture of a room', () => {
  test('is said with its error, and airing dries it', () => {
    expect(asked(points(20, 60))).toMatchObject({
      ...{ absolute_humidity: 10.3, absolute_humidity_error: 0.5, dew_point: 12, airing_will: 'dry' },
      outdoor_absolute_humidity: 4.8,
    });
  });

  test.each([
    ['moisten', { temperature: 24, humidity: 80 }],
    // 10.3 and 10.9 g/m³ can't be told apart.
    [null, { temperature: 20, humidity: 63 }],
    [null, { temperature: 3, humidity: null }],
    [null, { temperature: null, humidity: 50 }],
  ])('airing will %s it with %j outdoors', (effect, outside) => {
    expect(asked(points(20, 60), [], outside)?.airing_will).toBe(effect);
  });

  test('isn’t said after a quarter of an hour', () => {
    expect(moistureOf({ points: points(20, 60), hours: [], airing: null }, outdoors, 1016)).toBe(null);
  });

  const hoursOf = (humidity: number, humid: number, count = 24, outdoorTemperature: number | null = -5) =>
    Array.from({ length: count }, (_, i) => ({
      ...{ temperature: 20, humidity: i < humid ? humidity : 35, outdoorTemperature },
    }));
  test.each([
    ['likely', 'surely over 80 % at the wall for 6 hours', hoursOf(56, 6)],
    ['none', 'for 5 hours', hoursOf(56, 5)],
    ['possible', 'within the error', hoursOf(51, 24)],
    ['none', 'below', hoursOf(45, 24)],
    [undefined, 'in fewer than 12 hours', hoursOf(60, 11, 11)],
    [undefined, 'without an outdoor temperature', hoursOf(60, 24, 24, null)],
  ])('the risk of mould is %s %s', (risk, _, hours) => {
    expect(asked(points(20, 50), hours)?.mould?.risk).toBe(risk);
  });
});

/** Returns air by minute: 20 °C and `grams` g/m³ of water, rounded as by a hygrometer. */
function airWith(grams: (minute: number) => number, steps: [number, number] = [0.01, 0.1]): AirPoint[] {
  const saturated = absoluteHumidity({ temperature: 20, humidity: 100 });
  return Array.from({ length: 240 }, (_, minute) => ({
    minute,
    temperature: 20 + (steps[0] >= 1 ? steps[0] * (minute % 2) : 0),
    humidity: Math.round((100 * (grams(minute) + 0.02 * (minute % 3))) / saturated / steps[1]) * steps[1],
  }));
}

/** A window is open from minute 120 on for `length` minutes, and the air tends to 5 g/m³. */
const aired =
  (length: number, rate = 10) =>
  (minute: number) => {
    const open = Math.min(Math.max(0, minute - 120), length);
    const lowest = 5 + 4 * Math.exp((-rate * open) / 60);
    return lowest + 0.02 * Math.max(0, minute - 120 - length);
  };

const DAY = { from: 0, to: 1440 };

describe('an airing in the humidity', () => {
  test('is found with its start, end and fall', () => {
    const [airing, ...others] = findDryAirings(airWith(aired(20)), DAY);
    expect(others).toEqual([]);
    expect(Math.abs((airing?.from ?? 0) - 120)).toBeLessThanOrEqual(2);
    expect(Math.abs((airing?.to ?? 0) - 140)).toBeLessThanOrEqual(3);
    expect(airing?.fromGrams).toBeCloseTo(9, 0);
    expect(airing?.toGrams).toBeCloseTo(5.1, 0);
  });

  test('is enough where the air gets no drier, and not before', () => {
    const air = airWith(aired(40));
    const at = (now: number) => currentDryAiring(air.slice(0, now + 1), now);
    expect(at(119)).toBe(null);
    expect(at(124)).toMatchObject({ isEnough: false });
    expect(at(150)).toMatchObject({ isEnough: true });
  });

  test('isn’t enough after a window was closed early', () => {
    const air = airWith(aired(5));
    for (let now = 121; now < 160; now++)
      expect(currentDryAiring(air.slice(0, now + 1), now)?.isEnough ?? false, String(now)).toBe(false);
  });

  test('isn’t the steam of a shower that spreads', () => {
    const steam = (minute: number) =>
      9 + 7 * (minute < 100 ? 0 : minute < 110 ? (minute - 100) / 10 : Math.exp((-4 * (minute - 110)) / 60));
    const air = airWith(steam);
    expect(findDryAirings(air, DAY)).toEqual([]);
    for (let now = 100; now < 180; now++) expect(currentDryAiring(air.slice(0, now + 1), now)).toBe(null);
  });

  test('isn’t found in steps of 1 °C or 2 %', () => {
    for (const steps of [
      [1, 1],
      [0.1, 2],
    ] as [number, number][]) {
      const air = airWith(aired(20), steps);
      expect(isTooCoarse(air)).toBe(true);
      expect([findDryAirings(air, DAY), currentDryAiring(air, 130)]).toEqual([[], null]);
    }
  });

  test('isn’t found in values that a device holds until they have changed by 4 %', () => {
    let held = 60;
    const air = airWith((minute) => 10 - minute / 60).map((point) => {
      if (Math.abs(point.humidity - held) >= 4) held = point.humidity;
      return { ...point, humidity: held };
    });
    expect(isTooCoarse(air)).toBe(true);
    expect(isTooCoarse(airWith((minute) => 10 - minute / 60))).toBe(false);
  });
});
