import { expect, test } from 'vitest';
import { describeEvent, type EventRules, type Occasion } from '../../app/alerts/describe-event';
import type { SensorAir } from '../../app/readings/air/air-state';
import { judgeSilence } from '../../app/readings/air/judge-reading';
import {
  AIR_RULES,
  airReadings,
  everyMinute,
  judgeAll,
  MINUTE,
  minute,
  type Point,
} from '../support/alerts/watching';
import { START } from '../support/readings/readings';

const RULES: EventRules = { ...AIR_RULES, timeZone: 'UTC', publicUrl: null };
const poor = everyMinute(0, 2104, 2104, 2104, 2104, 2104, 2104);
const good = everyMinute(6, 812, 812, 812, 812, 812, 812);

/** Returns the message about the last transition of these readings. */
function describe(
  points: readonly Point[],
  occasion: Partial<Occasion> = {},
  rules: Partial<EventRules> = {},
) {
  const { air, transitions } = judgeAll(airReadings(points, 'Kitchen'));
  const watched = {
    sensor: 'Kitchen',
    air: air as SensorAir,
    notified: 'good' as const,
    notifiedAt: minute(-60),
  };
  const now = Date.parse(watched.air.newest);
  const transition = transitions.at(-1) ?? null;
  const whole: Occasion = { kind: 'entered', watched, transition, isOnly: false, now, ...occasion };
  return describeEvent({ ...whole, watched: { ...watched, ...occasion.watched } }, { ...RULES, ...rules });
}

const toldOf = (notified: 'poor' | 'moderate' | 'silent', sensor = 'Kitchen') =>
  ({ notified, notifiedAt: minute(5), sensor }) as Occasion['watched'];

test('poor air: the value, its threshold and its duration', () => {
  expect(describe(poor)).toEqual({
    kind: 'entered',
    sensor: 'Kitchen',
    state: 'poor',
    before: 'good',
    at: minute(5),
    since: minute(0),
    co2: 2104,
    voc: null,
    title: 'Kitchen: poor air',
    text: 'CO2 is 2104 PPM, above 2000 since Fri 10:00, for 5 min.',
    url: null,
  });
});

test.each<[string, Point[], Partial<Occasion>, string, string]>([
  [
    'moderate air by VOC',
    poor.map(([at]): Point => [at, 500, 450.5]),
    {},
    'Kitchen: moderate air',
    'VOC is 450.5 PPB, above 400 since Fri 10:00, for 5 min.',
  ],
  [
    'a value at the threshold',
    poor.map(([at]): Point => [at, 2000]),
    {},
    'Kitchen: poor air',
    'CO2 is 2000 PPM, at 2000 since Fri 10:00, for 5 min.',
  ],
  [
    'poor air after hours, before the value is low enough',
    [...poor, [10, 1950]],
    {},
    'Kitchen: poor air',
    'CO2 is 1950 PPM, below 2000 since at least Fri 10:10, but not below 1900 for 5 min yet.',
  ],
  [
    'a reminder after the sensor has failed',
    [...poor, [6, 0], [7, 65_519]],
    { kind: 'reminder', watched: toldOf('poor') },
    'Kitchen: still poor air',
    'CO2 was 2104 PPM at Fri 10:05. Since then, the sensor reports a fault: check it.',
  ],
  [
    'a reminder',
    [...everyMinute(0, ...Array<number>(76).fill(2104))],
    { kind: 'reminder', watched: toldOf('poor') },
    'Kitchen: still poor air',
    'CO2 is 2104 PPM, above 2000 since Fri 10:00, for 1 h 15 min.',
  ],
  [
    'good air again',
    [...poor, ...good],
    { kind: 'ended', watched: toldOf('poor') },
    'Kitchen: good air again',
    'CO2 is 812 PPM, below 1000 since Fri 10:06, for 5 min.',
  ],
  [
    'good air again, notified when quiet hours end',
    [...poor, ...everyMinute(6, ...Array<number>(60).fill(812))],
    { kind: 'ended', watched: toldOf('poor') },
    'Kitchen: good air again',
    'CO2 is 812 PPM, below 1000 since Fri 10:06, for 59 min.',
  ],
  [
    'VOC that took over from CO2',
    [
      ...everyMinute(0, ...Array<number>(30).fill(1100)),
      ...[30, 31, 32, 33, 34, 35].map((at): Point => [at, 700, 450]),
    ],
    {},
    'Kitchen: moderate air',
    'VOC is 450 PPB, above 400 since at least Fri 10:30, for 5 min.',
  ],
  [
    'moderate air after a dip below the threshold',
    everyMinute(0, ...Array<number>(10).fill(1100), ...Array<number>(170).fill(960), 1001, 1001),
    {},
    'Kitchen: moderate air',
    'CO2 is 1001 PPM, above 1000 since Fri 13:00, for 1 min.',
  ],
  [
    'moderate air after poor air',
    everyMinute(0, ...Array<number>(60).fill(2500), ...Array<number>(10).fill(1500)),
    {},
    'Kitchen: moderate air',
    'CO2 is 1500 PPM, above 1000 since Fri 10:00, for 1 h 9 min.',
  ],
  [
    'air that was unknown for 14 minutes',
    [...everyMinute(0, ...Array<number>(10).fill(700), ...Array<number>(10).fill(1100)), [33, 1100]],
    {},
    'Kitchen: moderate air',
    'CO2 is 1100 PPM, above 1000 since at least Fri 10:33.',
  ],
  [
    'air no longer poor, but moderate',
    [...poor, ...good.map(([at]): Point => [at, 1500])],
    { kind: 'ended', watched: toldOf('poor') },
    'Kitchen: air no longer poor',
    'CO2 is 1500 PPM, below 2000 since Fri 10:06, for 5 min.',
  ],
  [
    'moderate air after poor air, with both notified',
    [...poor, ...good.map(([at]): Point => [at, 1500])],
    { watched: toldOf('poor') },
    'Kitchen: moderate air',
    'CO2 is 1500 PPM, below 2000 since Fri 10:06, for 5 min.',
  ],
  [
    'readings after a silence',
    [
      [0, 500],
      [40, 612, 120],
    ],
    { kind: 'ended', watched: toldOf('silent') },
    'Kitchen: readings again',
    'Readings have arrived again since Fri 10:40: CO2 612 PPM, VOC 120 PPB.',
  ],
  [
    'readings after a silence that late readings had filled',
    [
      [0, 500],
      [10, 612],
    ],
    { kind: 'ended', watched: toldOf('silent') },
    'Kitchen: readings again',
    'Readings have arrived again up to Fri 10:10: CO2 612 PPM.',
  ],
  [
    'poor air after a silence, from unknown air',
    [...poor, [40, 2200]],
    { watched: toldOf('silent') },
    'Kitchen: poor air',
    'CO2 is 2200 PPM, above 2000 since at least Fri 10:40.',
  ],
  [
    'poor air that started after a silence, notified when quiet hours end',
    [[0, 500], ...everyMinute(40, ...Array<number>(20).fill(2200))],
    { watched: toldOf('silent') },
    'Kitchen: poor air',
    'CO2 is 2200 PPM, above 2000 since at least Fri 10:40, for 19 min.',
  ],
  [
    'the only sensor, unnamed',
    poor,
    { isOnly: true, watched: { sensor: '' } as Occasion['watched'] },
    'Poor air',
    'CO2 is 2104 PPM, above 2000 since Fri 10:00, for 5 min.',
  ],
  [
    'an unnamed sensor among others',
    poor,
    { watched: { sensor: '' } as Occasion['watched'] },
    'Unnamed sensor: poor air',
    'CO2 is 2104 PPM, above 2000 since Fri 10:00, for 5 min.',
  ],
])('describes %s', (_, points, occasion, title, text) => {
  expect(describe(points, occasion)).toMatchObject({ title, text });
});

test('an event contains the values of its text, even if the transition had others', () => {
  const points = everyMinute(0, ...Array<number>(6).fill(2104), 2300);
  expect(describe(points)).toMatchObject({ co2: 2300, text: expect.stringContaining('CO2 is 2300 PPM') });
});

test('a state from an older version is described without a time', () => {
  const { air, transitions } = judgeAll(airReadings(poor));
  const { spans: _, ...stored } = air as SensorAir;
  const watched = { air: stored } as Occasion['watched'];
  expect(describe(poor, { watched, transition: transitions[0] }).text).toBe('CO2 is 2104 PPM, above 2000.');
});

test('describes when a silence began, in the time zone, with the date unless it is today', () => {
  const { air } = judgeAll(airReadings([[0, 640]]));
  const silence = judgeSilence('', air as SensorAir, AIR_RULES);
  const notified = (afterMinutes: number, timeZone = 'UTC') =>
    describe(
      [[0, 640]],
      {
        watched: { air: silence.air } as Occasion['watched'],
        transition: null,
        now: START + afterMinutes * MINUTE,
      },
      { timeZone },
    );
  expect(notified(15)).toMatchObject({
    title: 'Kitchen: no readings',
    text: 'No reading since Fri 10:00, for 15 min. The last reading: CO2 640 PPM.',
    at: minute(15),
    since: minute(0),
  });
  expect(notified(15, 'Asia/Kolkata').text).toContain('since Fri 15:30, for');
  expect(notified(26 * 60).text).toContain('since Fri 2 Jan 10:00, for 1 d 2 h.');
  expect(notified(365 * 24 * 60).text).toContain('since Fri 2 Jan 2026 10:00, for 1 year.');
});

test('links to the span around the event if the server knows its address', () => {
  const link = (points: Point[], occasion: Partial<Occasion>) =>
    describe(points, occasion, { publicUrl: 'https://air.example/' }).url;
  expect(link(poor, {})).toBe(
    'https://air.example/history?sensor=Kitchen&from=2026-01-02T09:30:00Z&to=2026-01-02T10:35:00Z',
  );
  // For the end of a state, the span starts at the notification.
  expect(
    link([...poor, ...everyMinute(60, 812)], { kind: 'ended', watched: toldOf('silent', 'Küche & Co') }),
  ).toBe(
    'https://air.example/history?sensor=K%C3%BCche+%26+Co&from=2026-01-02T09:35:00Z&to=2026-01-02T11:30:00Z',
  );
});

test('contains the advice of a metric, unless the air has improved', () => {
  const air = (judgeAll(airReadings(poor, 'Kitchen')).air ?? {}) as SensorAir;
  const watched = {
    sensor: 'Kitchen',
    air: { ...air, co2: 600, pm25: 40 },
    notified: 'good' as const,
    notifiedAt: null,
  };
  const text = (state: SensorAir['level'], notified: 'good' | 'poor', pm25 = 40) =>
    describe(poor, {
      watched: { ...watched, air: { ...watched.air, pm25, level: state }, notified },
      transition: null,
    }).text;
  expect(text('poor', 'good', 35.04)).toContain('PM2.5 is 35.04 µg/m³, above 35.');
  expect(text('poor', 'good')).toBe(
    'PM2.5 is 40 µg/m³, above 35. Filter the air, or ventilate if the air outside is better.',
  );
  expect(text('moderate', 'poor')).not.toContain('Filter');
});

test('outdoor air changes the advice of a message, by the sensor that is there', () => {
  const airOf = (pm25: number, hours = 0): SensorAir => ({
    ...(judgeAll(airReadings(everyMinute(0, 430), 'Garden')).air as SensorAir),
    ...{
      pm25,
      newest: minute(5 - 60 * hours),
      measuredAt: { co2: null, voc: null, pm25: minute(5 - 60 * hours) },
    },
  });
  const told = (air: SensorAir | null, sensor = 'Garden') =>
    describe(poor, { outdoors: { sensor, air } }).text;
  expect(told(airOf(48))).toBe(
    'CO2 is 2104 PPM, above 2000 since Fri 10:00, for 5 min. First air for 5 minutes, then keep the window closed: PM2.5 outdoors is 48 µg/m³.',
  );
  expect(told(airOf(5))).toBe('CO2 is 2104 PPM, above 2000 since Fri 10:00, for 5 min.');
  expect(told(airOf(48, 3))).toMatch(
    /for 5 min\. Outdoor air is unknown: Garden's last reading is 3 h old\.$/,
  );
  expect(told(null)).toMatch(/Outdoor air is unknown: Garden has no recent readings\.$/);
  expect(told(airOf(48), 'Kitchen')).toBe('CO2 is 2104 PPM, above 2000 since Fri 10:00, for 5 min.');
});
