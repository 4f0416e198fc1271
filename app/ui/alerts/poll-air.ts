import { askServer } from '../../live/browser/ask-server';
import type { PageRules } from '../../readings/air/page-rules';
import type { Reading, SensorSummary } from '../../readings/reading';
import { type BrowserEvent, type Told, watchAir } from './watch-air';

/** Hidden tabs are waked once a minute at most. */
const POLL_MS = 15_000;

/** More new readings than these come from an import, or after a sleep: the browser begins again with the newest. */
const MOST_READINGS = 5000;

/** Where `SILENT_AFTER` isn't set, usual intervals are learnt from the readings of this time. */
const LEARNT_FROM_MS = 4 * 3_600_000;

/** What was told is kept for the tab that takes over, and for a reload. After this time nobody has watched. */
const STORAGE_KEY = 'airboard.told';
const FORGOTTEN_AFTER_MS = 150_000;

/**
 * Asks the server for new readings until `signal` is aborted, and tells what the rules say of them. A page's live feed
 * would not do: hidden pages give it back, and a silence has to be known from the server.
 */
export async function pollAir(
  rules: PageRules,
  tell: (event: BrowserEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const air = watchAir(rules, Intl.DateTimeFormat().resolvedOptions().timeZone);
  let newestId: number | null = null;
  while (!signal.aborted) {
    try {
      newestId = newestId === null ? await begin() : await poll(newestId);
      keepTold(air.told());
    } catch {
      // Nothing is known of the air until the server answers again.
    }
    await wake(signal);
  }

  async function begin(): Promise<number> {
    const sensors = (await ask<SensorSummary[]>('/api/sensors', signal)).value;
    const newest = sensors.map((sensor) => sensor.newest);
    const from = new Date(Date.now() - rules.afterMs - (rules.silentAfterMs ?? LEARNT_FROM_MS)).toISOString();
    const { value: readings, now } = await ask<Reading[]>(
      `/api/data?limit=${MOST_READINGS}&from=${from}`,
      signal,
    );
    const known = new Set(readings.map(({ id }) => id));
    const all = [...newest.filter(({ id }) => !known.has(id)), ...readings];
    air.begin(all, toldBefore(), now);
    return Math.max(0, ...all.map(({ id }) => id));
  }

  async function poll(after: number): Promise<number | null> {
    const { value: readings, now } = await ask<Reading[]>(
      `/api/data?limit=${MOST_READINGS}&after=${after}`,
      signal,
    );
    if (readings.length >= MOST_READINGS) return null;
    const events = air.take(readings, now);
    // First: a tab that is closed now tells it once at most.
    keepTold(air.told());
    for (const event of events) tell(event);
    return Math.max(after, ...readings.map(({ id }) => id));
  }
}

/** Asks for JSON. `now` is the server's clock in milliseconds. */
async function ask<T>(address: string, signal: AbortSignal): Promise<{ value: T; now: number }> {
  const { value, clock } = await askServer<T>(address, { signal });
  return { value, now: clock?.serverTime ?? Date.now() };
}

/** Waits for the next time to ask: sooner if the page is shown or comes online. */
function wake(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const listening = new AbortController();
    const end = () => {
      clearTimeout(timer);
      listening.abort();
      resolve();
    };
    const timer = setTimeout(end, POLL_MS);
    const options = { signal: listening.signal };
    document.addEventListener('visibilitychange', end, options);
    window.addEventListener('online', end, options);
    signal.addEventListener('abort', end, options);
  });
}

function toldBefore(): Told {
  try {
    const { at, told } = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}');
    return Math.abs(Date.now() - at) < FORGOTTEN_AFTER_MS ? told : {};
  } catch {
    return {};
  }
}

function keepTold(told: Told): void {
  localStorage.setItem(STORAGE_KEY, JSON.stringify({ at: Date.now(), told }));
}
