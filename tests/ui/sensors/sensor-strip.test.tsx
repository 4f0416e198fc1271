import { createRemixStub } from '@remix-run/testing';
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LiveReadings } from '../../../app/live/browser/use-readings';
import type { Reading } from '../../../app/readings/reading';
import { compareEntries, SensorStrip, stripEntry } from '../../../app/ui/sensors/sensor-strip';
import { OnPage } from '../../support/readings/on-page';
import { reading, START, sensorWith, THRESHOLDS } from '../../support/readings/readings';

const MINUTE = 60_000;

beforeEach(() => {
  window.history.replaceState({ key: 'kept' }, '', '/chart?range=1HR#content');
  vi.useFakeTimers({ now: START });
  // jsdom lacks both.
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
});

afterEach(() => {
  window.history.replaceState(null, '', '/');
  vi.unstubAllGlobals();
});

/** The page's data for sensors with these newest readings, which are 5 s old by default. */
function known(newest: readonly Partial<Reading>[], page: Partial<LiveReadings> = {}): LiveReadings {
  const created_at = new Date(START - 5000).toISOString();
  const readings = newest.map((values, i) => reading(i + 1, { co2: 500, voc: 100, created_at, ...values }));
  return {
    sensor: readings[0]?.sensor ?? '',
    sensors: readings.flatMap((one) => sensorWith([one])),
    history: readings.slice(0, 1),
    hasLoaded: true,
    count: 1,
    last: readings[0] ?? null,
    previous: null,
    connection: { state: 'live' },
    clock: { serverTime: START, viewerTime: performance.now() },
    ...page,
  };
}

/** Renders the strip on a page with this address. The returned function shows other readings. */
async function show(readings: LiveReadings, address = '/') {
  let update: (next: LiveReadings) => void = () => {};
  function Page() {
    const [shown, setShown] = useState(readings);
    update = setShown;
    return (
      <OnPage readings={shown}>
        <SensorStrip />
      </OnPage>
    );
  }
  const Stub = createRemixStub([{ path: '*', Component: Page }]);
  render(<Stub initialEntries={[address]} />);
  await act(async () => {});
  return (next: LiveReadings) => act(() => update(next));
}

const strip = () => screen.queryByRole('navigation', { name: 'Sensors' });
const links = () => within(strip() as HTMLElement).getAllByRole('link');
const names = () => links().map((link) => link.querySelector('bdi')?.textContent);
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test.each([
  ['no sensor', []],
  ['the unnamed sensor alone', [{}]],
  ['one named sensor', [{ sensor: 'Bedroom' }]],
])('is hidden with %s', async (_, newest) => {
  await show(known(newest));
  expect(strip()).toBeNull();
});

test('shows a link to the only sensor on the page of another sensor', async () => {
  await show(known([{ sensor: 'Bedroom' }], { sensor: 'Attic', last: null, history: [] }));
  expect(names()).toEqual(['Bedroom']);
});

test('a sensor is current as long as on its own page, by the interval at which it sends', async () => {
  const asked: string[] = [];
  /** Answers with a sensor's readings, which end a minute ago. */
  vi.stubGlobal('fetch', async (url: string) => {
    const name = new URL(url, location.href).searchParams.get('sensor') ?? '';
    asked.push(name);
    const intervalMs = name === 'Quick' ? 5000 : 50_000;
    const sent = [3, 2, 1, 0].map((back) => new Date(START - MINUTE - back * intervalMs).toISOString());
    return Response.json(sent.map((created_at, i) => reading(i + 1, { sensor: name, created_at })));
  });
  const created_at = new Date(START - MINUTE).toISOString();
  const others = ['Quick', 'Slow'].map((sensor) => ({ sensor, created_at }));
  await show(known([{ sensor: 'Shown' }, ...others, { sensor: 'New' }]));
  await pass(100);
  expect(asked.sort()).toEqual(['Quick', 'Slow']);
  const states = links().map((link) => [link.querySelector('bdi')?.textContent, link.dataset.freshness]);
  expect(Object.fromEntries(states)).toEqual({ Shown: 'live', Quick: 'stale', Slow: 'live', New: 'live' });
  await pass(2 * MINUTE);
  expect(names()?.length).toBe(4);
  expect(asked.length).toBe(3);
});

test('shows the name, value, level and age of each sensor, worst first', async () => {
  await show(
    known([
      { sensor: 'Bedroom', voc: null },
      { co2: 1187 },
      { sensor: 'Lab', co2: 862, voc: 900 },
      { sensor: 'Attic', co2: 3000, created_at: new Date(START - 20 * MINUTE).toISOString() },
      { sensor: 'Desk', co2: null, voc: 120 },
    ]),
  );
  expect(links().map((link) => link.textContent)).toEqual([
    'Lab 862 PPM poor (VOC), 5 s ago',
    'Unnamed sensor 1187 PPM moderate, 5 s ago',
    'Bedroom 500 PPM good, 5 s ago',
    'Desk 120 PPB good, 5 s ago',
    'Attic 3000 PPM 20 min ago',
  ]);
  expect(links().map(({ dataset }) => dataset.level)).toEqual([
    'poor',
    'moderate',
    'good',
    'good',
    undefined,
  ]);
  expect(links().map((link) => link.getAttribute('aria-current'))).toEqual([null, null, 'page', null, null]);
});

test('asks to check a sensor with CO2 below outdoor air, and does not colour it as good', async () => {
  await show(known([{ sensor: 'Bedroom', co2: 164 }, { sensor: 'Lab' }]));
  expect(links().map((link) => link.textContent)).toEqual([
    'Lab 500 PPM good, 5 s ago',
    'Bedroom 164 PPM check, 5 s ago',
  ]);
  expect(links().map(({ dataset }) => dataset.level)).toEqual(['good', undefined]);
  expect(links()[1]?.className).not.toMatch(/good/);
});

test('a link keeps the other parameters of the page', async () => {
  await show(known([{ sensor: 'A & B' }, {}]), '/chart?range=1HR&sensor=A+%26+B');
  expect(links().map((link) => link.getAttribute('href'))).toEqual([
    '/chart?range=1HR&sensor=A+%26+B',
    '/chart?range=1HR&sensor=',
  ]);
});

test('a tap adds the sensor to the address, so that going back shows it', async () => {
  await show(known([{ sensor: 'A & B' }, { sensor: 'Lab' }]));
  const tap = () => act(async () => fireEvent.click(links()[1] as HTMLElement));
  await tap();
  expect(window.location.href).toMatch(/\/chart\?range=1HR&sensor=A\+%26\+B#content$/);
  expect(window.history.state).toEqual({ key: 'kept' });
  // The choice is remembered only when the sensor is shown.
  expect(document.cookie).not.toContain('Lab');
  window.history.replaceState(null, '', '/?sensor=Attic');
  await tap();
  expect(window.location.search).toBe('?sensor=Attic');
});

test('shows the full name in the title of a truncated one', async () => {
  const sensor = 'x'.repeat(64);
  await show(known([{ sensor }, {}]));
  expect(screen.getByTitle(sensor).textContent).toBe(sensor);
});

test('updates the ages, including those of stale sensors', async () => {
  await show(
    known([{ sensor: 'A' }, { sensor: 'B', created_at: new Date(START - 15 * MINUTE).toISOString() }]),
  );
  expect(links()[1]?.textContent).toContain('15 min ago');
  await pass(1000);
  expect(links()[0]?.textContent).toContain('6 s ago');
  expect(links()[1]?.textContent).toContain('15 min ago');
});

test('the shown sensor becomes stale together with the rest of the page', async () => {
  const readings = known([{ sensor: 'A' }, { sensor: 'B' }]);
  await show({ ...readings, clock: { serverTime: START + MINUTE, viewerTime: performance.now() } });
  expect(links().map((link) => link.dataset.freshness)).toEqual(['live', 'stale']);
  expect(names()).toEqual(['B', 'A']);
});

test('shows no levels while the page is disconnected', async () => {
  const connection = { state: 'disconnected', since: START } as const;
  await show(known([{ sensor: 'A' }, { sensor: 'B', co2: 2500 }], { connection }));
  expect(links().map((link) => link.textContent)).toEqual(['B 2500 PPM 5 s ago', 'A 500 PPM 5 s ago']);
});

const before = [{ sensor: 'A' }, { sensor: 'B' }];
const after = [{ sensor: 'A' }, { sensor: 'B', co2: 2500 }, { sensor: 'C', co2: 3000 }];

test('a sensor with worsening air moves to the front', async () => {
  const update = await show(known(before));
  expect(names()).toEqual(['A', 'B']);
  update(known(after));
  expect(names()).toEqual(['B', 'C', 'A']);
});

test.each([
  ['pointerDown', () => fireEvent.pointerDown(links()[0] as HTMLElement)],
  ['scroll', () => fireEvent.scroll(within(strip() as HTMLElement).getByRole('list'))],
])('keeps the order for three seconds after %s', async (_, action) => {
  const update = await show(known(before));
  action();
  update(known(after));
  expect(names()).toEqual(['A', 'B', 'C']);
  expect(links()[1]?.dataset.level).toBe('poor');
  await pass(2000);
  expect(names()).toEqual(['A', 'B', 'C']);
  await pass(2000);
  expect(names()).toEqual(['B', 'C', 'A']);
});

test('keeps the order while a link has keyboard focus', async () => {
  const update = await show(known(before));
  act(() => links()[0]?.focus());
  update(known(after));
  await pass(10_000);
  expect(names()).toEqual(['A', 'B', 'C']);
  act(() => links()[0]?.blur());
  await pass(4000);
  expect(names()).toEqual(['B', 'C', 'A']);
});

test.each([99, 100])('says from 100 sensors on that the list may be incomplete: %d', async (count) => {
  await show(known(Array.from({ length: count }, (_, i) => ({ sensor: `Room ${i}` }))));
  const isFull = count === 100;
  expect(screen.queryByText(/^The 100 sensors with the latest readings\./) !== null).toBe(isFull);
  const all = screen.queryByRole('link', { name: 'All rooms' });
  expect(all?.getAttribute('href')).toBe(isFull ? '/rooms' : undefined);
  screen.getByRole('button', { name: `${isFull ? 'Last' : 'All'} ${count} sensors` });
});

test.each([
  [3, false],
  [4, true],
  [40, true],
])('with %d sensors, offers to show all at once: %s', async (count, has) => {
  await show(known(Array.from({ length: count }, (_, i) => ({ sensor: `Room ${i}` }))));
  const button = screen.queryByRole('button', { name: `All ${count} sensors` });
  expect(button !== null).toBe(has);
  if (!button) return;
  expect(button.getAttribute('aria-expanded')).toBe('false');
  fireEvent.click(button);
  expect(screen.getByRole('button', { name: 'Fewer sensors' }).getAttribute('aria-expanded')).toBe('true');
});

/** Returns the row of a sensor whose newest reading has these values and this age. */
function standing(name: string, values: { co2?: number | null; voc?: number | null } = {}, ageMs = 4000) {
  const created_at = new Date(START - ageMs).toISOString();
  const [summary] = sensorWith([reading(1, { co2: 500, voc: 100, ...values, created_at, sensor: name })]);
  if (!summary) throw new Error('no sensor');
  return stripEntry(summary, THRESHOLDS, START);
}

test.each([
  [{ co2: 1000, voc: 100 }, '1000 PPM', 'moderate', null],
  [{ co2: 1200, voc: 500 }, '1200 PPM', 'moderate', null],
  [{ co2: 862, voc: 900 }, '862 PPM', 'poor', 'VOC'],
  [{ co2: 300, voc: 100 }, '300 PPM', 'good', null],
  [{ co2: 299.9, voc: 100 }, '299.9 PPM', null, null],
  [{ co2: 164, voc: null }, '164 PPM', null, null],
  [{ co2: 164, voc: 900 }, '164 PPM', 'poor', 'VOC'],
  [{ co2: null, voc: 400 }, '400 PPB', 'moderate', null],
  [{ co2: null, voc: 0 }, '0 PPB', 'good', null],
])('a sensor with %j shows %s and is %s, caused by %s', (values, value, level, cause) => {
  expect(standing('Bedroom', values)).toMatchObject({ value, level, cause, freshness: 'live' });
});

test('a reading counts as current for 15 minutes', () => {
  expect(standing('Bedroom', {}, 15 * MINUTE)).toMatchObject({ freshness: 'live', age: '15 min ago' });
  expect(standing('Bedroom', {}, 15 * MINUTE + 1)).toMatchObject({
    freshness: 'stale',
    age: '15 min ago',
  });
});

test('shows no age for a reading from the future', () => {
  expect(standing('Bedroom', {}, -2 * MINUTE)).toMatchObject({ freshness: 'ahead', age: 'time not known' });
});

test('uses the additional data about the shown sensor', () => {
  const [summary] = sensorWith([reading(1)]);
  if (!summary) throw new Error('no sensor');
  const now = Date.parse(summary.newest.created_at) + 90_000;
  expect(stripEntry(summary, THRESHOLDS, now, 'stale')).toMatchObject({
    freshness: 'stale',
    age: '1 min ago',
  });
});

test('sorts by level, then by name, with unknown levels last', () => {
  const sensors = [
    standing('check', { co2: 164 }),
    standing('B good'),
    standing('quiet', { co2: 3000 }, 20 * MINUTE),
    standing('A good'),
    standing('poor', { co2: 2500 }),
    standing('ahead', { co2: 3000 }, -2 * MINUTE),
    standing('', { co2: 1500 }),
    standing('moderate', { voc: 500 }),
  ];
  const names = sensors.sort(compareEntries).map(({ name }) => name);
  expect(names).toEqual(['poor', '', 'moderate', 'A good', 'B good', 'ahead', 'check', 'quiet']);
});

test('keeps the order while the page is disconnected', () => {
  const sensors = [standing('A'), standing('Z', { co2: 2500 })].map((one) => ({
    ...one,
    freshness: 'disconnected' as const,
  }));
  expect(sensors.sort(compareEntries).map(({ name }) => name)).toEqual(['Z', 'A']);
});

test('a sensor without levels shows its first value and its age, after those with levels', async () => {
  const warm = { sensor: 'Attic', co2: null, voc: null, temperature: 21.4, humidity: 44 };
  await show(known([{ sensor: 'Bedroom' }, warm]));
  expect(names()).toEqual(['Bedroom', 'Attic']);
  expect(links()[1]?.textContent).toBe('Attic 21.4 °C 5 s ago');
});

test('any metric can be the cause of a level', async () => {
  await show(known([{ sensor: 'Bedroom', pm25: 40 }, { sensor: 'Attic' }]));
  expect(links()[0]?.textContent).toBe('Bedroom 500 PPM poor (PM2.5), 5 s ago');
});
