import { describe, expect, test, vi } from 'vitest';
import {
  airReadings,
  everyMinute,
  inMinutes,
  MINUTE,
  minute,
  type Point,
  startWatching,
} from '../support/alerts/watching';
import { START } from '../support/readings/readings';

const POOR = [2104, 2104, 2104, 2104, 2104, 2104];
const GOOD = [500, 500, 500, 500, 500, 500];
const DAY = 24 * 60;

type Watching = Awaited<ReturnType<typeof startWatching>>;

/** Stores each reading at its time. */
async function live(watching: Watching, points: readonly Point[], sensor = '') {
  for (const reading of airReadings(points, sensor)) {
    watching.at((Date.parse(reading.created_at) - START) / MINUTE);
    await watching.insert([reading]);
  }
}

test('notifies each address once of poor air and of its end, each with its own id', async () => {
  const watching = await startWatching();
  await live(watching, everyMinute(0, ...POOR, ...POOR, ...GOOD, ...GOOD));
  expect(watching.notified()).toEqual(['entered: Poor air', 'ended: Good air again']);
  const [poor, good] = watching.alerts.messages;
  expect(poor).toMatchObject({
    id: expect.stringMatching(/^msg_[\w-]{24}$/),
    createdAt: minute(5),
    transition: { sensor: '', at: minute(5), to: 'poor' },
    addresses: ['a', 'b'],
  });
  expect(JSON.parse(poor?.event ?? '')).toMatchObject({
    id: poor?.id,
    text: 'CO2 is 2104 PPM, above 2000 since Fri 10:00, for 5 min.',
  });
  expect(good?.id).not.toBe(poor?.id);
});

test('stores a transition, its message and the sensor in one commit', async () => {
  const watching = await startWatching();
  const commit = vi.spyOn(watching.alerts, 'commit');
  await live(watching, everyMinute(0, ...POOR));
  const changes = commit.mock.calls.map(([change]) => change);
  expect(changes.filter(({ transitions, messages }) => transitions.length + messages.length)).toMatchObject([
    {
      transitions: [{ to: 'poor' }],
      messages: [{}],
      sensors: [{ air: { level: 'poor' }, notified: 'poor' }],
    },
  ]);
});

test('notifies of a silence by the clock, and of the return', async () => {
  const watching = await startWatching();
  await live(watching, [[0, 500]], 'Kitchen');
  await watching.runTo(15);
  expect(watching.notified()).toEqual([]);
  await watching.runTo(40);
  expect(watching.notified()).toEqual(['entered: Kitchen: no readings']);
  await live(watching, [[41, 500]], 'Kitchen');
  expect(watching.notified()).toEqual(['entered: Kitchen: no readings', 'ended: Kitchen: readings again']);
});

test('without SILENT_AFTER, a sensor with an hourly interval is silent after three hours, even after a restart', async () => {
  const watching = await startWatching({ silentAfterMs: null });
  await live(
    watching,
    [0, 60, 120, 180].map((at): Point => [at, 500]),
    'Kitchen',
  );
  await watching.reopen();
  const before = watching.notified().length;
  await watching.runTo(359);
  expect(watching.notified()).toHaveLength(before);
  await watching.runTo(362);
  expect(watching.notified().at(-1)).toBe('entered: Kitchen: no readings');
});

test('a pending state survives a crash', async () => {
  const watching = await startWatching();
  await live(watching, everyMinute(0, 500, 2104, 2104, 2104));
  await watching.restart();
  await live(watching, everyMinute(4, 2104, 2104));
  await watching.restart();
  expect(watching.notified()).toEqual([]);
  await live(watching, [[6, 2104]]);
  expect(watching.notified()).toEqual(['entered: Poor air']);
  expect(inMinutes(watching.transitions())).toEqual(['6: good -> poor since 1']);
});

test('judges readings that were stored while no server ran', async () => {
  const watching = await startWatching();
  await live(watching, everyMinute(0, 500));
  await watching.reopen();
  watching.store(airReadings(everyMinute(1, ...POOR)));
  await watching.restart();
  watching.at(7);
  await watching.round();
  expect(watching.notified()).toEqual(['entered: Poor air']);
});

test('a restart repeats nothing, and no sensor becomes silent because the server was off', async () => {
  const watching = await startWatching();
  watching.at(5);
  for (const sensor of ['Attic', 'Cellar', 'Kitchen']) {
    await watching.insert(airReadings(everyMinute(0, ...POOR), sensor));
  }
  expect(watching.notified()).toHaveLength(3);
  watching.at(120);
  await watching.restart();
  await watching.runTo(130);
  await live(watching, [[131, 2104]], 'Kitchen');
  await watching.runTo(135);
  expect(watching.notified()).toHaveLength(3);
  // By now, the others had time to return. Silences in between are recorded.
  await watching.runTo(140);
  expect(watching.notified().slice(3)).toEqual([
    'entered: Attic: no readings',
    'entered: Cellar: no readings',
  ]);
  expect(
    watching
      .transitions()
      .map(({ at, to }) => [at, to])
      .slice(3),
  ).toEqual([
    [minute(20), 'silent'],
    [minute(20), 'silent'],
    [minute(20), 'silent'],
    [minute(131), 'poor'],
  ]);
});

test('notifies of a one-day silence although the server starts every night, but not after a longer break', async () => {
  const watching = await startWatching({ silentAfterMs: DAY * MINUTE });
  await live(watching, [[0, 500]], 'Kitchen');
  for (const night of [0.4, 0.7, 0.999]) {
    await watching.runTo(night * DAY);
    watching.at(night * DAY + 5);
    await watching.restart();
  }
  await watching.runTo(0.999 * DAY + 20);
  expect(watching.notified()).toEqual([]);
  await watching.runTo(0.999 * DAY + 21);
  expect(watching.notified()).toEqual(['entered: Kitchen: no readings']);
  await live(watching, [[1.3 * DAY, 500]], 'Kitchen');
  // Off for half a day, so the sensor gets half a day to return.
  await watching.runTo(2 * DAY);
  watching.at(2.5 * DAY);
  await watching.restart();
  await watching.runTo(2.9 * DAY);
  expect(watching.notified().slice(2)).toEqual([]);
  await watching.runTo(3 * DAY + 1);
  expect(watching.notified().slice(2)).toEqual(['entered: Kitchen: no readings']);
});

test.each([5, 14])('notifies of a silence although the server starts every %i minutes', async (minutes) => {
  const watching = await startWatching();
  await live(watching, [[0, 500]], 'Kitchen');
  for (let start = minutes; start < 60; start += minutes) {
    await watching.runTo(start);
    watching.at(start + 1);
    await watching.restart();
  }
  expect(watching.notified()).toEqual(['entered: Kitchen: no readings']);
  expect(inMinutes(watching.transitions())).toEqual(['15: good -> silent since 0']);
});

test('a sensor with a slow clock does not become silent after a restart', async () => {
  const watching = await startWatching();
  for (let i = 0; i < 60; i++) {
    watching.at(60 + i);
    if (i % 20 === 19) await watching.reopen();
    await watching.round();
    expect(watching.transitions()).toEqual([]);
    if (i % 2 === 0) await watching.insert(airReadings([[i, 500]]));
  }
});

test('computes when a sensor becomes silent, with time to return after a start', async () => {
  const watching = await startWatching();
  await live(watching, [[0, 500]]);
  expect(watching.silentFrom('')).toBe(15);
  watching.at(120);
  await watching.restart();
  expect(watching.silentFrom('')).toBe(135);
});

test('no sensor becomes silent because the machine was asleep', async () => {
  const watching = await startWatching();
  await live(watching, [[0, 500]]);
  watching.at(300);
  await watching.round();
  await live(watching, [[301, 500]]);
  expect(watching.notified()).toEqual([]);
  expect(watching.transitions().map(({ to }) => to)).toEqual(['silent', 'good']);
});

test('records a state that is already over when first seen, without a notification', async () => {
  const watching = await startWatching();
  await live(watching, [[0, 500]]);
  watching.at(40);
  await watching.insert(airReadings(everyMinute(1, ...POOR, ...GOOD, ...Array<number>(27).fill(500))));
  expect(watching.notified()).toEqual([]);
  expect(inMinutes(watching.transitions())).toEqual(['6: good -> poor since 1', '12: poor -> good since 7']);
});

test('a batch from the time of a notified silence ends that silence', async () => {
  const watching = await startWatching();
  await live(watching, [[0, 500]]);
  await watching.runTo(30);
  expect(watching.notified()).toEqual(['entered: No readings']);
  // The first part of the batch is from before the silence was noticed.
  await watching.insert(airReadings(everyMinute(1, ...GOOD)));
  expect(watching.notified()).toHaveLength(1);
  await watching.insert(airReadings(everyMinute(7, ...Array<number>(23).fill(500))));
  expect(watching.notified()).toEqual(['entered: No readings', 'ended: Readings again']);
  expect(inMinutes(watching.transitions())).toEqual(['15: good -> silent since 0', '16: silent -> good']);
});

test('readings that are older than the newest judged one change nothing, in any batches', async () => {
  for (const batches of [1, 2, 21]) {
    const watching = await startWatching();
    await live(watching, everyMinute(20, 500));
    const late = airReadings(everyMinute(-1, ...Array<number>(21).fill(2104)));
    const size = Math.ceil(late.length / batches);
    for (let i = 0; i < late.length; i += size) await watching.insert(late.slice(i, i + size));
    await watching.reopen();
    await live(watching, everyMinute(21, ...GOOD));
    expect(watching.transitions()).toEqual([]);
    expect(watching.notified()).toEqual([]);
  }
});

test('readings that arrive together are judged by their times', async () => {
  const watching = await startWatching();
  watching.at(5);
  await watching.insert(airReadings(everyMinute(0, ...POOR)).reverse());
  expect(inMinutes(watching.transitions())).toEqual(['5: good -> poor since 0']);
});

test('an import notifies neither of its poor air, nor of the silence after it, nor of their ends', async () => {
  const watching = await startWatching();
  watching.at(30 * DAY);
  for (const from of [0, 6, 12]) await watching.insert(airReadings(everyMinute(from, ...POOR), 'Kitchen'));
  await watching.runTo(30 * DAY + 60);
  expect(watching.transitions().map(({ to }) => to)).toEqual(['poor', 'silent']);
  await live(watching, everyMinute(30 * DAY + 61, ...GOOD, ...GOOD), 'Kitchen');
  expect(watching.notified()).toEqual([]);
  await live(watching, everyMinute(30 * DAY + 73, ...POOR), 'Kitchen');
  expect(watching.notified()).toEqual(['entered: Kitchen: poor air']);
});

test('the first start judges the last day, and notifies of the current states', async () => {
  const stored = [0, 30 * DAY].flatMap((from) => airReadings(everyMinute(from, ...POOR), 'Kitchen'));
  const watching = await startWatching({}, { stored, start: 30 * DAY + 6 });
  await watching.round();
  expect(watching.notified()).toEqual(['entered: Kitchen: poor air']);
  expect(watching.transitions().map(({ at }) => at)).toEqual([minute(30 * DAY + 5)]);
});

test('an event contains the previous state, notified or not', async () => {
  const watching = await startWatching();
  await live(watching, everyMinute(0, ...POOR, ...Array<number>(6).fill(1500)));
  await watching.runTo(30);
  expect(watching.events().map(({ kind, state, before }) => `${kind} ${before} ${state}`)).toEqual([
    'entered good poor',
    'ended poor moderate',
    'entered moderate silent',
  ]);
});

test('changing NOTIFY_ON sends nothing about a state that already holds', async () => {
  const watching = await startWatching({ on: ['moderate', 'silent'] });
  await live(watching, everyMinute(0, ...POOR));
  await watching.restart({ on: ['poor', 'silent'] });
  await live(watching, everyMinute(6, ...POOR));
  expect(watching.notified()).toEqual(['entered: Poor air']);
});

test('sends nothing in quiet hours, and one message at their end for a state that still holds', async () => {
  const quiet = { from: '10:00', to: '10:30' };
  const watching = await startWatching({ quiet });
  await live(watching, everyMinute(0, ...POOR, ...GOOD), 'Attic');
  await live(watching, everyMinute(12, ...POOR, ...Array<number>(12).fill(2300)), 'Kitchen');
  expect(inMinutes(watching.transitions())).toEqual([
    '5: good -> poor since 0',
    '11: poor -> good since 6',
    '17: good -> poor since 12',
    '26: good -> silent since 11',
  ]);
  expect(watching.notified()).toEqual([]);
  await live(watching, [[30, 2300]], 'Kitchen');
  expect(watching.notified()).toEqual(['entered: Attic: no readings', 'entered: Kitchen: poor air']);
  const [, kitchen] = watching.events();
  expect(kitchen).toMatchObject({
    at: minute(17),
    co2: 2300,
    text: 'CO2 is 2300 PPM, above 2000 since Fri 10:12, for 18 min.',
  });
  expect(watching.alerts.messages[1]?.transition).toEqual({ sensor: 'Kitchen', at: minute(17), to: 'poor' });
});

test('without addresses nothing is told, and the first address gets the states that still hold', async () => {
  const watching = await startWatching({}, { addresses: [] });
  await live(watching, everyMinute(0, ...POOR, ...GOOD), 'Attic');
  await live(watching, everyMinute(12, ...POOR), 'Kitchen');
  expect(watching.transitions().map(({ to }) => to)).toEqual(['poor', 'good', 'poor']);
  expect(watching.alerts.messages).toEqual([]);
  await watching.restart({}, ['a']);
  await live(watching, [[18, 2104]], 'Kitchen');
  expect(watching.notified()).toEqual(['entered: Kitchen: poor air']);
});

test('sends reminders of a lasting state, each with its own id', async () => {
  const watching = await startWatching({ againMs: 10 * MINUTE });
  await live(watching, everyMinute(0, ...POOR, ...Array<number>(20).fill(2104)));
  expect(watching.notified()).toEqual([
    'entered: Poor air',
    'reminder: Still poor air',
    'reminder: Still poor air',
  ]);
  expect(new Set(watching.alerts.messages.map(({ id }) => id)).size).toBe(3);
  expect(watching.events().map(({ at, since }) => [at, since])).toEqual(
    [5, 15, 25].map((at) => [minute(at), minute(0)]),
  );
});

test('thresholds changed at a restart apply to later readings', async () => {
  const watching = await startWatching();
  await live(watching, everyMinute(0, ...POOR));
  const thresholds = { co2: { good: 2500, moderate: 3000 }, voc: { good: 400, moderate: 800 } };
  await watching.restart({ thresholds });
  await live(watching, everyMinute(6, ...POOR));
  expect(watching.notified()).toEqual(['entered: Poor air', 'ended: Good air again']);
});

test('a sensor with a slow clock is not silent while it sends readings', async () => {
  const watching = await startWatching();
  for (let i = 0; i < 60; i++) {
    watching.at(60 + i);
    await watching.insert(airReadings([[i, 500]]));
  }
  expect(watching.notified()).toEqual([]);
  expect(watching.transitions()).toEqual([]);
});

test('judges later readings when a clock is set back by an hour', async () => {
  const watching = await startWatching();
  await live(watching, everyMinute(100, ...POOR));
  expect(watching.notified()).toEqual(['entered: Poor air']);
  await live(watching, everyMinute(45, ...GOOD, ...GOOD));
  expect(watching.notified()).toEqual(['entered: Poor air', 'ended: Good air again']);
});

test('a sensor that sends only readings of an hour ago is not silent', async () => {
  const watching = await startWatching();
  await live(watching, everyMinute(60, 500));
  for (let i = 0; i < 40; i++) {
    watching.at(61 + i);
    await watching.insert(airReadings([[1 + i, 500]]));
  }
  expect(watching.transitions()).toEqual([]);
});

test('repeats a failed commit in the next evaluator, with the same id', async () => {
  const watching = await startWatching();
  await live(watching, everyMinute(0, ...POOR.slice(1)));
  watching.alerts.isAvailable = false;
  await expect(live(watching, [[5, 2104]])).rejects.toThrow('the store is away');
  expect(watching.notified()).toEqual([]);
  watching.alerts.isAvailable = true;
  await watching.restart();
  await watching.round();
  expect(watching.notified()).toEqual(['entered: Poor air']);
});

describe('after the clock was ahead', () => {
  /** Leads of the clock in minutes: three hours, and until the year 2101. */
  const LEADS = [3 * 60, 75 * 365 * DAY];

  /** A sensor with good air, then poor air while the clock was ahead. The server restarts with the right clock. */
  async function watchingAfter(lead: number) {
    const watching = await startWatching();
    await live(watching, everyMinute(0, ...GOOD), 'Kitchen');
    await live(watching, everyMinute(lead, ...POOR), 'Kitchen');
    expect(watching.notified().at(-1)).toBe('entered: Kitchen: poor air');
    await watching.reopen();
    watching.at(10);
    await watching.restart();
    return watching;
  }

  test.each(LEADS)(
    'by %i min, later readings are judged, and their sensor can become silent',
    async (lead) => {
      const watching = await watchingAfter(lead);
      await watching.runTo(11);
      await live(watching, everyMinute(12, ...GOOD), 'Kitchen');
      expect(watching.notified().at(-1)).toBe('ended: Kitchen: good air again');
      await live(watching, everyMinute(18, ...POOR, 2104), 'Kitchen');
      expect(watching.events().at(-1)).toMatchObject({ kind: 'entered', state: 'poor', at: minute(23) });
      await watching.runTo(24 + 20);
      expect(watching.events().at(-1)).toMatchObject({ state: 'silent', at: minute(24 + 15) });
    },
  );

  test.each(LEADS)('by %i min, a sensor without further readings becomes silent', async (lead) => {
    const watching = await watchingAfter(lead);
    await watching.runTo(40);
    expect(watching.events().at(-1)).toMatchObject({ state: 'silent', at: minute(26), since: minute(11) });
  });

  test('a clock that is slow in the first seconds after a start changes nothing', async () => {
    const watching = await startWatching();
    await live(watching, everyMinute(0, ...GOOD, ...POOR), 'Kitchen');
    await watching.reopen();
    const notified = watching.notified();
    watching.at(-60);
    await watching.restart();
    await watching.insert(airReadings([[-60, 500]], 'Kitchen'));
    watching.at(12.2);
    await watching.round();
    await live(watching, [[12.3, 2104]], 'Kitchen');
    await watching.runTo(14);
    expect(watching.notified()).toEqual(notified);
    expect(watching.alerts.sensors.get('Kitchen')?.air).toMatchObject({
      level: 'poor',
      newest: minute(12.3),
    });
  });
});

test('a sensor is poor, not silent, if the clock of the database is twenty minutes slow', async () => {
  const watching = await startWatching({}, { clockLeadMs: -20 * MINUTE });
  for (const reading of airReadings(everyMinute(0, ...POOR, ...POOR, ...POOR))) {
    watching.at((Date.parse(reading.created_at) - START) / MINUTE + 20);
    await watching.insert([reading]);
  }
  expect(watching.notified()).toEqual(['entered: Poor air']);
  await watching.reopen();
  await watching.restart();
  await watching.runTo(17 + 20 + 14);
  expect(watching.notified()).toEqual(['entered: Poor air']);
  await watching.runTo(17 + 20 + 40);
  expect(watching.notified()).toEqual(['entered: Poor air', 'entered: No readings']);
});
