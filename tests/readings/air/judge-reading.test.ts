import { expect, test } from 'vitest';
import { judgeReading, judgeSilence } from '../../../app/readings/air/judge-reading';
import {
  AIR_RULES,
  airReadings,
  everyMinute,
  inMinutes,
  judgeAll,
  MINUTE,
  minute,
  type Point,
} from '../../support/alerts/watching';
import { THRESHOLDS } from '../../support/readings/readings';

const times = (count: number, value: number) => Array<number>(count).fill(value);

const TABLE: [claim: string, points: Point[], transitions: string[]][] = [
  ['good air has no transition', everyMinute(0, ...times(30, 500)), []],
  [
    'a threshold exceeded for less than 5 min causes no transition',
    everyMinute(0, 500, ...times(5, 2500), 500),
    [],
  ],
  [
    'a worse level is entered when all readings of 5 min exceed its threshold',
    everyMinute(0, 500, ...times(6, 1200)),
    ['6: good -> moderate since 1'],
  ],
  [
    'the first reading of a sensor may start a run',
    everyMinute(0, ...times(6, 2000)),
    ['5: good -> poor since 0'],
  ],
  [
    'a sensor that posts every ten minutes is judged by the second reading',
    [
      [0, 500],
      [10, 2100],
      [20, 2100],
    ],
    ['20: good -> poor since 10'],
  ],
  [
    'rising air passes through the moderate level',
    everyMinute(0, 500, ...times(3, 1200), ...times(7, 2200)),
    ['6: good -> moderate since 1', '9: moderate -> poor since 4'],
  ],
  [
    'one reading below the threshold restarts the 5 min',
    everyMinute(0, ...times(5, 2100), 1999, ...times(6, 2100)),
    ['5: good -> moderate since 0', '11: moderate -> poor since 6'],
  ],
  [
    'a level is left when all readings of 5 min are below its clear value',
    everyMinute(0, ...times(6, 1200), ...times(6, 949)),
    ['5: good -> moderate since 0', '11: moderate -> good since 6'],
  ],
  [
    'a value between the clear value and the threshold changes nothing',
    everyMinute(0, ...times(6, 1200), ...times(20, 950)),
    ['5: good -> moderate since 0'],
  ],
  [
    'values that flap at the threshold change the level once',
    everyMinute(0, ...times(6, 2000), ...Array.from({ length: 60 }, (_, i) => (i % 2 ? 2010 : 1990))),
    ['5: good -> poor since 0'],
  ],
  [
    'values that flap at the clear value keep the level',
    everyMinute(0, ...times(6, 2000), ...Array.from({ length: 60 }, (_, i) => (i % 4 ? 1890 : 1900))),
    ['5: good -> poor since 0'],
  ],
  [
    'poor air may become moderate, and then good',
    everyMinute(0, ...times(6, 2000), ...times(6, 1500), ...times(6, 500)),
    ['5: good -> poor since 0', '11: poor -> moderate since 6', '17: moderate -> good since 12'],
  ],
  [
    'poor air becomes good at once if all of the 5 min are good',
    everyMinute(0, ...times(6, 2000), ...times(6, 500)),
    ['5: good -> poor since 0', '11: poor -> good since 6'],
  ],
  [
    'one metric beyond its threshold is enough',
    times(6, 0).map((_, i): Point => [i, 500, 800]),
    ['5: good -> poor since 0'],
  ],
  [
    'a level is left when both metrics are below their clear values',
    [
      ...times(6, 0).map((_, i): Point => [i, 2000, 100]),
      ...times(6, 0).map((_, i): Point => [6 + i, 500, 390]),
      ...times(6, 0).map((_, i): Point => [12 + i, 500, 379]),
    ],
    ['5: good -> poor since 0', '11: poor -> moderate since 6', '17: moderate -> good since 12'],
  ],
  [
    'a sensor with VOC only is judged by VOC',
    times(6, 0).map((_, i): Point => [i, null, 900]),
    ['5: good -> poor since 0'],
  ],
  [
    'a sensor that posts its metrics in turn is judged by both',
    Array.from({ length: 12 }, (_, i): Point => (i % 2 ? [i, null, 100] : [i, 2100, null])),
    ['6: good -> poor since 0'],
  ],
  [
    'a sensor that fails in poor air gives no all-clear',
    [
      ...everyMinute(0, ...times(6, 2600), ...times(40, 0), ...times(40, 65_519)),
      ...times(6, 0).map((_, i): Point => [86 + i, 500]),
    ],
    ['5: good -> poor since 0', '91: poor -> good since 86'],
  ],
  [
    'faulty values, posted in turn with another metric, give no all-clear',
    [
      ...everyMinute(0, ...times(6, 2600)),
      ...Array.from({ length: 60 }, (_, i): Point => (i % 2 ? [6 + i, null, 100] : [6 + i, 0])),
    ],
    ['5: good -> poor since 0'],
  ],
  ['faulty values never make poor air', everyMinute(0, ...times(6, 500), ...times(30, 65_535)), []],
  [
    'a faulty value ends no run towards poor air',
    everyMinute(0, 2600, 2600, 65_535, 0, 2600, 2600),
    ['5: good -> poor since 0'],
  ],
  [
    'a faulty value ends no run towards good air',
    everyMinute(0, ...times(6, 2600), 600, 600, 0, 600, 600, 600),
    ['5: good -> poor since 0', '11: poor -> good since 6'],
  ],
  [
    'a metric that always fails leaves the level to the others',
    Array.from({ length: 12 }, (_, i): Point => [i, i < 6 ? 2600 : 500, -1]),
    ['5: good -> poor since 0', '11: poor -> good since 6'],
  ],
  [
    'a reading without the metric does not confirm a worse level',
    [[0, 500, 900], [1, 500, 900], ...times(30, 0).map((_, i): Point => [2 + i, 500, null])],
    [],
  ],
  [
    'a later reading with that metric confirms it',
    [[0, 500, 900], ...times(7, 0).map((_, i): Point => [1 + i, 500, null]), [8, 500, 900]],
    ['8: good -> poor since 0'],
  ],
  [
    'a run that only a held value prolongs is not confirmed by another metric',
    [[0, 500, 900], ...times(4, 0).map((_, i): Point => [1 + i, 500, null]), ...everyMinute(5, 2100, 2100)],
    [],
  ],
  [
    'a run may begin with one metric and end with the other',
    [...times(3, 0).map((_, i): Point => [i, 500, 900]), ...everyMinute(3, ...times(3, 2100))],
    ['5: good -> poor since 0'],
  ],
  [
    'a reading without the metric does not confirm a better level until its value expires',
    [
      ...times(6, 0).map((_, i): Point => [i, 500, 900]),
      ...[6, 7].map((at): Point => [at, 500, 100]),
      ...times(20, 0).map((_, i): Point => [8 + i, 500, null]),
    ],
    ['5: good -> poor since 0', '23: poor -> good since 6'],
  ],
  [
    'a metric that was always good needs no confirmation',
    [...times(6, 0).map((_, i): Point => [i, 2100, 100]), ...everyMinute(6, ...times(6, 500))],
    ['5: good -> poor since 0', '11: poor -> good since 6'],
  ],
  [
    'a metric that is no longer measured counts for 15 min',
    [...everyMinute(0, ...times(6, 2100)), ...times(30, 0).map((_, i): Point => [6 + i, null, 100])],
    ['5: good -> poor since 0', '26: poor -> good since 21'],
  ],
  [
    '15 min without a reading are not a silence',
    [
      [0, 500],
      [15, 500],
    ],
    [],
  ],
  [
    'more than 15 min without readings are a silence',
    [
      [0, 500],
      [15.001, 500],
    ],
    ['15: good -> silent since 0', '15.001: silent -> good'],
  ],
  [
    'a sensor returns from a silence at the level it had before',
    [...everyMinute(0, ...times(6, 2000)), ...everyMinute(60, ...times(6, 500))],
    [
      '5: good -> poor since 0',
      '20: poor -> silent since 5',
      '60: silent -> poor',
      '65: poor -> good since 60',
    ],
  ],
  [
    'a run ends with a silence',
    [...everyMinute(0, ...times(4, 2000)), ...everyMinute(60, ...times(6, 2000))],
    ['18: good -> silent since 3', '60: silent -> good', '65: good -> poor since 60'],
  ],
  [
    'values from before a silence no longer count',
    [...everyMinute(0, ...times(6, 2000)), ...times(6, 0).map((_, i): Point => [60 + i, null, 100])],
    [
      '5: good -> poor since 0',
      '20: poor -> silent since 5',
      '60: silent -> poor',
      '65: poor -> good since 60',
    ],
  ],
];

test.each(TABLE)('%s', (_, points, transitions) => {
  expect(inMinutes(judgeAll(airReadings(points)).transitions)).toEqual(transitions);
});

test('pending runs are reported, and end with a transition', () => {
  const pendingAfter = (...co2: number[]) => judgeAll(airReadings(everyMinute(0, ...co2))).air?.pending;
  expect(pendingAfter(500)).toEqual([null, null]);
  expect(pendingAfter(500, 1200)).toEqual([minute(1), null]);
  expect(pendingAfter(500, 1200, 2000)).toEqual([minute(1), minute(2)]);
  expect(pendingAfter(500, ...times(6, 1200))).toEqual([null, null]);
  expect(pendingAfter(500, ...times(6, 1200), 949)).toEqual([minute(7), null]);
});

test('a transition contains the values of the deciding reading, or the last values if the sensor goes silent', () => {
  const { transitions } = judgeAll(
    airReadings([...everyMinute(0, ...times(4, 2000)), [4, null, 120], [5, 2000], [40, 400]]),
  );
  expect(transitions.map(({ to, co2, voc }) => [to, co2, voc])).toEqual([
    ['poor', 2000, null],
    ['silent', 2000, 120],
    ['poor', 400, null],
  ]);
});

test('times are exact to the microsecond', () => {
  const at = (created_at: string, id: number) => ({ id, co2: 2000, voc: null, created_at });
  const first = at('2026-01-02T10:00:00.000001Z', 1);
  expect(judgeAll([first, at('2026-01-02T10:05:00.000Z', 2)]).transitions).toEqual([]);
  expect(judgeAll([first, at('2026-01-02T10:05:00.000001Z', 2)]).transitions).toHaveLength(1);
  expect(judgeAll([first, at('2026-01-02T10:15:00.000001Z', 2)]).transitions).toHaveLength(1);
  const [silence] = judgeAll([first, at('2026-01-02T10:15:00.000002Z', 2)]).transitions;
  expect(silence).toMatchObject({ to: 'silent', at: '2026-01-02T10:15:00.000001Z' });
});

test('without a waiting time, each reading may change the level, even the first after a silence', () => {
  const { transitions } = judgeAll(
    airReadings([
      [0, 500],
      [1, 2000],
      [2, 1000],
      [30, 500],
    ]),
    { ...AIR_RULES, afterMs: 0 },
  );
  expect(inMinutes(transitions)).toEqual([
    '1: good -> poor',
    '2: poor -> moderate',
    '17: moderate -> silent since 2',
    '30: silent -> good',
  ]);
});

test('a silence found by the clock equals the one found by the next reading', () => {
  const readings = airReadings([
    [0, 500],
    [60, 500],
  ]);
  const { air, transitions } = judgeAll(readings);
  const first = judgeReading(null, readings[0] as (typeof readings)[0], AIR_RULES);
  const silence = judgeSilence('', first.air, AIR_RULES);
  const back = judgeReading(silence.air, readings[1] as (typeof readings)[0], AIR_RULES);
  expect([...silence.transitions, ...back.transitions]).toEqual(transitions);
  expect(back.air).toEqual(air);
});

test('changed thresholds apply to later readings only', () => {
  const before = judgeAll(airReadings(everyMinute(0, ...times(6, 1200)))).air;
  const thresholds = { ...THRESHOLDS, co2: { good: 1500, moderate: 2500 } };
  let air = before;
  const transitions: string[] = [];
  for (const reading of airReadings(everyMinute(6, ...times(6, 1200)))) {
    const judged = judgeReading(air, reading, { ...AIR_RULES, thresholds });
    air = judged.air;
    transitions.push(...inMinutes(judged.transitions));
  }
  expect(transitions).toEqual(['11: moderate -> good since 6']);
});

test('the next reading ends a silence, even if the silence would be too short for the changed settings', () => {
  const { air } = judgeSilence('', judgeAll(airReadings([[0, 500]])).air as never, AIR_RULES);
  const [reading] = airReadings([[20, 500]]);
  const judged = judgeReading(air, reading as never, { ...AIR_RULES, silentAfterMs: 60 * MINUTE });
  expect(inMinutes(judged.transitions)).toEqual(['20: silent -> good']);
});
