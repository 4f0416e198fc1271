import { describe, expect, test } from 'vitest';
import { judgeSensor } from '../../../app/readings/room/believability';
import type { RoomFindings } from '../../../app/readings/room/room-findings';
import { OUTDOOR } from '../../support/readings/simulated-room';

const DAY: RoomFindings = {
  ...{ minutes: 1440, first: 0, last: 1439, covered: 1440 },
  ...{ lowest: 428, errors: 0, unchangedMinutes: 2, step: 1 },
  floor: { at: 0, above: 0, below: 0, drops: [] },
  ...{ airings: [], decays: [], rises: [], ends: [] },
};
const days = (...lows: number[]) =>
  lows.map((lowest, day) => ({ ...DAY, first: day * 1440, last: day * 1440 + 1439, lowest }));
const judge = (found: RoomFindings[]) => judgeSensor(found, OUTDOOR);

describe('a sensor', () => {
  test('is believed if its lowest values are those of outdoor air', () => {
    expect(judge(days(428, 431, 436, 450))).toMatchObject({
      believable: true,
      offeredOffset: null,
      reasons: [],
    });
  });

  test('isn’t judged on fewer than three days', () => {
    const { believable, reasons } = judge(days(428, 431));
    expect([believable, reasons]).toEqual([
      null,
      ['Sensor: 3 days with readings of 6 hours are needed to judge it, and there are 2.'],
    ]);
  });

  test('is offered an offset if its lowest values are alike on all days but not those of outdoor air', () => {
    const { believable, offeredOffset, reasons } = judge(days(463, 465, 463, 470, 468));
    expect([believable, offeredOffset]).toEqual([true, -38]);
    expect(reasons[0]).toContain(
      'Either this room is never fully aired, or the sensor reads 38 PPM too high.',
    );
  });

  test('is offered no offset if its lowest values differ between days, because the room is never fully aired', () => {
    const { believable, offeredOffset, reasons } = judge(days(520, 610, 570, 590));
    expect([believable, offeredOffset]).toEqual([null, null]);
    expect(reasons[0]).toContain('never fully aired');
  });

  test('is unclear in a room that is never aired, and is offered no offset', () => {
    const { believable, offeredOffset, baseline, reasons } = judge(days(600, 603, 605, 601));
    expect([believable, offeredOffset]).toEqual([null, null]);
    expect(Math.abs(baseline - OUTDOOR)).toBeLessThan(40);
    expect(reasons).toEqual([
      expect.stringContaining('Either this room is never fully aired, or the sensor reads too high.'),
    ]);
  });

  test('is believed in a room that is never fully aired, if its falls tend to outdoor air', () => {
    const ends = [430, 470, 410].map((ppm) => ({ ppm, error: 30, isAiring: true }));
    const inhabited = days(672, 680, 675).map((day) => ({ ...day, ends }));
    const { believable, offeredOffset, baseline, reasons } = judge(inhabited);
    expect([believable, offeredOffset]).toEqual([true, null]);
    expect(Math.abs(baseline - OUTDOOR)).toBeLessThan(25);
    expect(reasons).toEqual([
      expect.stringMatching(/But CO2 falls towards 4\d\d PPM, so this room is never/),
    ]);
  });

  test('is offered a large offset downwards only if airings end as high', () => {
    const withEnds = (isAiring: boolean) =>
      judge(
        days(573, 575, 574).map((day) => ({
          ...day,
          ends: [575, 580].map((ppm) => ({ ppm, error: 10, isAiring })),
        })),
      );
    const aired = withEnds(true);
    expect([aired.believable, aired.offeredOffset]).toEqual([null, -149]);
    expect(Math.abs(aired.baseline - 573)).toBeLessThan(20);
    expect(withEnds(false).offeredOffset).toBe(null);
  });

  test('isn’t believed if it reads far below outdoor air', () => {
    expect(judge(days(252, 255, 260, 254))).toMatchObject({ believable: false, offeredOffset: 171 });
  });

  test('isn’t believed if its values are cut off at exactly 400 PPM', () => {
    const withFloor = (below: number, drops: number[], step = 1) =>
      judge(days(400, 400, 400).map((day) => ({ ...day, step, floor: { at: 90, above: 20, below, drops } })));
    const cut = withFloor(0, [22, 40, 75]);
    expect(cut).toMatchObject({ believable: false, offeredOffset: null });
    expect(cut.silence).toContain("can't be believed");
    // Not known yet how it falls to 400.
    expect(withFloor(0, []).believable).toBe(false);
    expect(withFloor(40, [22, 40, 75]).silence).toBe(null);
    // A sensor that measures, and shows no values below 400.
    expect(withFloor(0, [4, 9, 30])).toMatchObject({
      ...{ believable: true, silence: null },
      reasons: [expect.stringContaining('it shows no values below 400 PPM')],
    });
    expect(withFloor(0, [20], 10).believable).toBe(true);
  });

  test('may show the same value for longer if its steps are coarse', () => {
    const unchanged = (step: number, unchangedMinutes: number) =>
      judge(days(420, 420, 420).map((day) => ({ ...day, step, unchangedMinutes }))).believable;
    expect([unchanged(1, 300), unchanged(10, 300), unchanged(10, 600)]).toEqual([false, true, false]);
  });

  test('isn’t believed with many impossible values, but is with a few', () => {
    const withErrors = (errors: number) => days(428, 431, 436).map((day) => ({ ...day, errors }));
    expect(judge(withErrors(100)).believable).toBe(false);
    const few = judge(withErrors(1));
    expect([few.believable, few.reasons[0]]).toEqual([
      true,
      expect.stringContaining('3 minutes have values'),
    ]);
  });

  test('isn’t believed if it sent the same value for hours', () => {
    const stuck = days(428, 431, 436).map((day) => ({ ...day, unchangedMinutes: 400 }));
    expect(judge(stuck)).toMatchObject({
      believable: false,
      reasons: [expect.stringContaining('for 6 hours')],
    });
  });

  test('is unclear if its lowest values moved', () => {
    const { believable, offeredOffset, reasons } = judge(days(430, 431, 433, 429, 540, 541, 543, 545));
    expect([believable, offeredOffset]).toEqual([null, null]);
    expect(reasons.join()).toContain('moved by +111 PPM');
  });

  test('is judged on days with six hours of readings, however far apart the readings are', () => {
    const covering = (minutes: number, covered: number) =>
      judge(days(428, 431, 436).map((day) => ({ ...day, minutes, covered }))).believable;
    expect([covering(24, 1440), covering(6, 360)]).toEqual([true, true]);
    expect(covering(355, 355)).toBe(null);
  });

  test('says nothing about its room until its readings span a day and cover half of it', () => {
    const silenceOf = (last: number, covered: number) =>
      judge([
        { ...DAY, first: 100, covered: covered / 2 },
        { ...DAY, last, covered: covered / 2 },
      ]).silence;
    expect(silenceOf(1539, 1440)).toBe(
      'not known yet: 24 hours of readings are needed, and the last 28 days have 23.',
    );
    expect(silenceOf(1540, 720)).toBe(null);
    expect(silenceOf(2800, 718)).toContain('and the last 28 days have 23.');
  });
});
