import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AirState } from '../../../app/readings/air/air-state';
import { chooseForBrowser } from '../../../app/ui/alerts/watch-in-browser';

let shown: string[];
/** The states in the server's answer, for sensors whose air isn't good. */
let states: Map<string, AirState | null>;
/** Sensors whose state the server has not evaluated yet. */
let undecided: string[];

function says(...next: [sensor: string, state: AirState | null][]): void {
  states = new Map(next);
}

const answer = (value: unknown) =>
  new Response(JSON.stringify(value), { headers: { 'Content-Type': 'application/json' } });

beforeEach(() => {
  vi.useFakeTimers();
  shown = [];
  states = new Map();
  undecided = [];
  localStorage.clear();
  vi.stubGlobal(
    'Notification',
    class {
      static permission = 'granted';
      constructor(title: string) {
        shown.push(title);
      }
      close() {}
    },
  );
  const locks = { request: (_name: string, _options: object, work: () => Promise<void>) => work() };
  Object.defineProperty(navigator, 'locks', { value: locks, configurable: true });
  vi.stubGlobal('fetch', async (address: string) => {
    const { searchParams } = new URL(address, 'http://localhost');
    const sensor = searchParams.get('sensor');
    if (sensor === null) return answer([...states].map(([sensor, state]) => ({ sensor, state })));
    const state = states.get(sensor) ?? 'good';
    const title = `${sensor}: ${searchParams.get('before')} -> ${state}`;
    return answer([{ sensor, state, notification: undecided.includes(sensor) ? null : { title, text: '' } }]);
  });
});

afterEach(() => {
  chooseForBrowser(null);
  vi.useRealTimers();
});

/** Advances to the browser's next request, and returns the notifications shown by then. */
async function ask(): Promise<string[]> {
  await vi.advanceTimersByTimeAsync(15_000);
  return shown.splice(0);
}

async function switchOn() {
  chooseForBrowser('on');
  await vi.advanceTimersByTimeAsync(0);
}

test('shows each change once, and ignores states that already held at the start', async () => {
  says(['Kitchen', 'poor'], ['Attic', 'silent']);
  await switchOn();
  expect(await ask()).toEqual([]);
  says(['Kitchen', 'poor'], ['constructor', 'poor']);
  expect(await ask()).toEqual(['constructor: good -> poor']);
  expect(await ask()).toEqual([]);
  says();
  expect(await ask()).toEqual(['Kitchen: poor -> good', 'constructor: poor -> good']);
});

test('waits until the server has evaluated the state', async () => {
  await switchOn();
  says(['Kitchen', null]);
  expect(await ask()).toEqual([]);
  says(['Kitchen', 'poor']);
  undecided = ['Kitchen'];
  expect(await ask()).toEqual([]);
  undecided = [];
  expect(await ask()).toEqual(['Kitchen: good -> poor']);
});

test('continues after a reload, and starts over after a longer absence', async () => {
  await switchOn();
  chooseForBrowser(null);
  says(['Kitchen', 'poor']);
  await vi.advanceTimersByTimeAsync(60_000);
  await switchOn();
  expect(shown.splice(0)).toEqual(['Kitchen: good -> poor']);
  chooseForBrowser(null);
  says();
  await vi.advanceTimersByTimeAsync(151_000);
  await switchOn();
  expect(shown).toEqual([]);
});

test('shows five notifications and a summary for many changes at once', async () => {
  await switchOn();
  for (let i = 0; i < 3000; i++) states.set(`Room ${i}`, 'poor');
  const titles = await ask();
  expect(titles).toHaveLength(6);
  expect(titles.at(-1)).toBe('2995 more sensors have changed');
  expect(await ask()).toEqual([]);
});
