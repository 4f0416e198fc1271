import { describe, expect, test } from 'vitest';
import { judgeSensor } from '../../../app/readings/room/believability';
import type { RoomFindings } from '../../../app/readings/room/room-findings';
import { OUTDOOR } from '../../support/readings/simulated-room';

const DAY: RoomFindings = {
  ...{ minutes: 1440, first: 0, last: 1439, covered: 1440 },
  ...{ lowest: 428, errors: 0, atFloor: 0, belowFloor: 0, unchangedMinutes: 2 },
  ...{ airings: [], decays: [], rises: [] },
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

  test('is unclear in a room that is never aired', () => {
    expect(judge(days(600, 603, 605, 601))).toMatchObject({
      believable: null,
      baseline: OUTDOOR,
      isTooHigh: true,
    });
  });

  test('isn’t believed if it reads far below outdoor air', () => {
    expect(judge(days(252, 255, 260, 254))).toMatchObject({ believable: false, offeredOffset: 171 });
  });

  test('isn’t believed if its values stop at exactly 400 PPM', () => {
    const floor = days(400, 400, 400).map((day) => ({ ...day, atFloor: 90 }));
    expect(judge(floor)).toMatchObject({ believable: false, offeredOffset: null });
    expect(judge(floor).silence).toContain("can't be believed");
    const passing = floor.map((day) => ({ ...day, belowFloor: 40 }));
    expect(judge(passing).silence).toBe(null);
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
