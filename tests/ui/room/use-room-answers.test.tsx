import { act, renderHook } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Connection } from '../../../app/live/browser/page-state';
import type { Reading } from '../../../app/readings/reading';
import { useAirings, useVentilation } from '../../../app/ui/room/use-room-answers';
import { reading } from '../../support/readings/readings';
import { ventilation } from '../../support/readings/room';

let addresses: string[];
/** The server's answer; null while it fails. */
let rebreathed: number | null;
let isHidden: boolean;

beforeEach(() => {
  vi.useFakeTimers();
  [addresses, rebreathed, isHidden] = [[], 0.01, false];
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => isHidden);
  vi.stubGlobal('fetch', async (address: string) => {
    addresses.push(address);
    if (rebreathed === null) throw new TypeError('fetch failed');
    return Response.json(ventilation({ rebreathed }));
  });
  return () => vi.unstubAllGlobals();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

interface Page {
  history: Reading[];
  sensor?: string;
  state?: Connection['state'];
}

function pageOf({ history, sensor = '', state = 'live' }: Page) {
  const connection = state === 'disconnected' ? { state, since: 0 } : { state };
  return { sensor, history, last: history.at(-1) ?? null, connection };
}

async function follow(page: Page) {
  const { result, rerender } = renderHook((props: Page) => useVentilation(pageOf(props)), {
    initialProps: page,
  });
  await pass(0);
  return {
    shown: () => result.current?.rebreathed ?? null,
    show: (next: Page) => act(() => rerender(next)),
  };
}

test('asks again 30 s after a request if a reading arrived', async () => {
  const { shown, show } = await follow({ history: [reading(1)] });
  expect([addresses, shown()]).toEqual([['/api/ventilation?sensor='], 0.01]);
  rebreathed = 0.02;
  await pass(10_000);
  await show({ history: [reading(1), reading(2)] });
  await pass(19_999);
  expect([addresses.length, shown()]).toEqual([1, 0.01]);
  await pass(1);
  expect([addresses.length, shown()]).toEqual([2, 0.02]);
});

test('asks again every 60 s without readings, but not while the page is hidden', async () => {
  await follow({ history: [reading(1)] });
  await pass(60_000);
  expect(addresses).toHaveLength(2);
  isHidden = true;
  await pass(180_000);
  expect(addresses).toHaveLength(2);
  isHidden = false;
  document.dispatchEvent(new Event('visibilitychange'));
  await pass(0);
  expect(addresses).toHaveLength(3);
});

test('asks about a sensor with humidity and no CO2', async () => {
  await follow({ history: [reading(1, { co2: null, humidity: 50 })] });
  expect(addresses).toEqual(['/api/ventilation?sensor=']);
});

test('asks nothing for a sensor without CO2 and humidity, and nothing without a connection', async () => {
  await follow({ history: [reading(1, { co2: null })] });
  await follow({ history: [reading(1)], state: 'disconnected' });
  expect(addresses).toEqual([]);
});

test('keeps the last answer during two minutes of failures, and shows no error', async () => {
  const { shown } = await follow({ history: [reading(1)] });
  rebreathed = null;
  await pass(120_000);
  expect(shown()).toBe(0.01);
  await pass(60_000);
  expect(shown()).toBeNull();
});

test('asks again after 3 s while the server is computing', async () => {
  vi.stubGlobal('fetch', async (address: string) => {
    addresses.push(address);
    return addresses.length > 1
      ? Response.json(ventilation({ rebreathed }))
      : Response.json({ detail: 'Ask again in a second.' }, { status: 503 });
  });
  const { shown } = await follow({ history: [reading(1)] });
  expect(shown()).toBeNull();
  await pass(3000);
  expect(shown()).toBe(0.01);
});

test("forgets a room's answer when the page shows another sensor", async () => {
  const { shown, show } = await follow({ history: [reading(1)] });
  rebreathed = null;
  await show({ history: [reading(1, { sensor: 'Desk' })], sensor: 'Desk' });
  expect(shown()).toBeNull();
  expect(addresses.at(-1)).toBe('/api/ventilation?sensor=Desk');
});

test('asks for the airings of a span, which may have no end', async () => {
  const from = Date.parse('2026-01-02T10:00:00Z');
  const page = pageOf({ history: [reading(1)], sensor: 'Desk' });
  renderHook(() => [
    useAirings(page, { from, to: from + 60_000 }),
    useAirings(page, { from }),
    useAirings(page, null),
  ]);
  await pass(0);
  expect(addresses).toEqual([
    '/api/airings?sensor=Desk&from=2026-01-02T10:00:00.000Z&to=2026-01-02T10:01:00.000Z',
    '/api/airings?sensor=Desk&from=2026-01-02T10:00:00.000Z',
  ]);
});
