import { createRemixStub } from '@remix-run/testing';
import { act, render, screen } from '@testing-library/react';
import { Profiler } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { createLiveFeed } from '../../../app/live/browser/create-live-feed';
import type { FeedListener } from '../../../app/live/browser/live-feed';
import { HISTORY_LIMIT } from '../../../app/readings/chart/range';
import { Dashboard } from '../../../app/ui/dashboard';
import { ThresholdsContext } from '../../../app/ui/page-contexts';
import { FIRST_THREE, reading, readings } from '../../support/readings/readings';

/** React's node of a component, which shows if the component was rendered. */
interface Fiber {
  type: { name?: string } | string | null;
  flags: number;
  child: Fiber | null;
  sibling: Fiber | null;
  alternate: Fiber | null;
}

const PERFORMED_WORK = 1;

/** Adds the names of the components that were rendered, in the way of React's developer tools. */
function addRendered(fiber: Fiber, names: Set<string>): void {
  const { type, flags, alternate } = fiber;
  // The compiler adds a number to the name of a function that is assigned to a constant of the same name.
  if (typeof type === 'function' && flags & PERFORMED_WORK) names.add(nameOf(type).replace(/\d$/, ''));
  // Otherwise, nothing below was rendered.
  if (fiber.child === alternate?.child) return;
  for (let child = fiber.child; child; child = child.sibling) addRendered(child, names);
}

const nameOf = (type: { name?: string }) => type.name ?? '';

/** Returns the tree of components on the screen. */
function currentTree(container: HTMLElement): Fiber {
  const key = Object.keys(container).find((name) => name.startsWith('__reactContainer$')) ?? '';
  const { stateNode } = container[key as keyof HTMLElement] as unknown as { stateNode: { current: Fiber } };
  return stateNode.current;
}

vi.mock('../../../app/live/browser/create-live-feed');
// jsdom has no canvas.
vi.mock('../../../app/ui/chart/chart-frame', () => ({
  ChartFrame: ({ children }: { children: React.ReactNode }) => children,
}));

let feed: FeedListener;

beforeEach(() => {
  vi.stubGlobal('fetch', async () => Response.json([], { headers: { Date: new Date(9000).toUTCString() } }));
  vi.mocked(createLiveFeed).mockImplementation(async () => ({
    lookback: 0,
    firstPart: Number.POSITIVE_INFINITY,
    deliversEveryInsert: true,
    subscribe(listener) {
      feed = listener;
      return () => {};
    },
  }));
  return () => vi.unstubAllGlobals();
});

const SETTINGS = {
  feed: { kind: 'event-source' as const },
  isKeyNeeded: false,
  offersRandomPosts: true,
  rules: { afterMs: 0, silentAfterMs: null, on: ['poor' as const] },
};
const THRESHOLDS = { co2: { good: 1000, moderate: 2000 }, voc: { good: 400, moderate: 800 } };

/** Opens a dashboard with so many readings. Returns the names of the components that the next reading renders. */
async function renderedByReading(count: number): Promise<Set<string>> {
  const initial = { ...FIRST_THREE, readings: readings(count), count, newestId: count };
  const rendered = new Set<string>();
  const container = document.body.appendChild(document.createElement('div'));
  const page = () => (
    <ThresholdsContext.Provider value={THRESHOLDS}>
      <Profiler id="page" onRender={() => addRendered(currentTree(container), rendered)}>
        <Dashboard initial={initial} problem={null} settings={SETTINGS} />
      </Profiler>
    </ThresholdsContext.Provider>
  );
  const Stub = createRemixStub([{ path: '/', Component: page }]);
  render(<Stub />, { container });
  await screen.findByRole('button', { name: '10MIN' });
  await act(async () => feed.onConnected());
  rendered.clear();
  await act(async () => feed.onInsert(reading(count + 1)));
  return rendered;
}

const FRAME = ['Dashboard', 'ReadingsCard', 'Card', 'NumbersGuideButton', 'BrowserAlertsButton', 'ZoomBar'];
const FOLLOWERS = ['LiveDashboard', 'AirNow', 'ShownRange', 'LiveChart', 'ReadingsChart'];

test('a reading renders the tiles and the chart, not the cards around them', async () => {
  const names = await renderedByReading(HISTORY_LIMIT);
  expect(FOLLOWERS.filter((name) => !names.has(name))).toEqual([]);
  expect([...FRAME, 'ChartCard', 'RangeButtons'].filter((name) => names.has(name))).toEqual([]);
});

test('until all ranges are full, a reading renders the card with their buttons too', async () => {
  const names = await renderedByReading(3);
  expect(['ChartCard', 'RangeButtons'].filter((name) => !names.has(name))).toEqual([]);
  expect(['Dashboard', 'ReadingsCard', 'NumbersGuideButton'].filter((name) => names.has(name))).toEqual([]);
});
