import { useEffect, useRef, useState } from 'react';
import { askServer, ServerError } from '../../live/browser/ask-server';
import type { LiveReadings } from '../../live/browser/use-readings';
import type { Reading } from '../../readings/reading';
import type { AiringAnswer, VentilationAnswer } from '../../readings/room/ventilation-answer';

/** The minimum time between two requests while readings arrive. */
const LIVE_MS = 30_000;

/** The interval of requests without new readings, while the page is visible. */
const IDLE_MS = 60_000;

/** The server answers 503 until it has computed a room's earlier days. */
const BUSY_STATUS = 503;
const BUSY_MS = 3000;

/** If requests fail, the last answer stays valid for this long. */
const KEPT_MS = 120_000;

/** The part of the live readings that requests depend on. */
type RoomReadings = Pick<LiveReadings, 'sensor' | 'history' | 'last' | 'connection'>;

/** Returns the ventilation of a sensor's room; null before the first answer, and for a sensor without CO2. */
export function useVentilation(readings: RoomReadings): VentilationAnswer | null {
  return useRepeated(readings, addressOf('ventilation', readings.sensor));
}

/**
 * Returns the airings of a span, oldest first; null before the first answer, and for a sensor without CO2. While a new
 * span loads, returns the previous span's airings. Without `to`, the span ends now. Sends no request for a null span.
 */
export function useAirings(
  readings: RoomReadings,
  span: { from: number; to?: number } | null,
): readonly AiringAnswer[] | null {
  return useRepeated(readings, span && addressOf('airings', readings.sensor, span));
}

function addressOf(
  path: 'ventilation' | 'airings',
  sensor: string,
  span?: { from: number; to?: number },
): string {
  const query = new URLSearchParams({ sensor });
  if (span) query.set('from', isoOf(span.from));
  if (span?.to !== undefined) query.set('to', isoOf(span.to));
  // A colon needs no encoding, and the address is easier to read without it.
  return `/api/${path}?${String(query).replaceAll('%3A', ':')}`;
}

// Not `formatTime`, because importing it would load the code for spans on every page.
const isoOf = (ms: number) => new Date(ms).toISOString();

/** Returns the server's answer and keeps it up to date. Pages work without it, so failures are silent. */
function useRepeated<T>(
  { sensor, history, last, connection }: RoomReadings,
  address: string | null,
): T | null {
  const [known, setKnown] = useState<{ sensor: string; answer: T } | null>(null);
  const repeater = useRef<Repeater>();
  const isAsked = connection.state === 'live' && history.some(({ co2 }) => co2 !== null);
  const asked = isAsked ? address : null;

  useEffect(() => {
    if (asked === null) return;
    const own = repeat<T>(asked, (answer) => setKnown(answer && { sensor, answer }));
    repeater.current = own;
    return () => {
      own.stop();
      repeater.current = undefined;
    };
  }, [asked, sensor]);
  useEffect(() => repeater.current?.arrived(last), [last]);
  return known?.sensor === sensor ? known.answer : null;
}

interface Repeater {
  /** Requests again, `LIVE_MS` after the last request. */
  arrived(newest: Reading | null): void;
  stop(): void;
}

/**
 * Requests an address at once, then repeatedly while the page is visible. Calls `onAnswer` with null once the last answer
 * is too old.
 */
function repeat<T>(address: string, onAnswer: (answer: T | null) => void): Repeater {
  const own = new AbortController();
  const { signal } = own;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let answeredAt = performance.now();
  let isRunning = false;
  let isBusy = false;

  function askIn(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(ask, Math.max(0, askedAt + ms - performance.now()));
  }

  async function ask(): Promise<void> {
    // When the page becomes visible, the listener below requests again.
    if (document.hidden || isRunning) return;
    let waitMs = IDLE_MS;
    isRunning = true;
    askedAt = performance.now();
    try {
      const { value } = await askServer<T>(address, { signal });
      if (signal.aborted) return;
      answeredAt = performance.now();
      isBusy = false;
      onAnswer(value);
    } catch (error) {
      if (signal.aborted) return;
      isBusy = error instanceof ServerError && error.status === BUSY_STATUS;
      if (isBusy) waitMs = BUSY_MS;
      if (performance.now() - answeredAt > KEPT_MS) onAnswer(null);
    }
    isRunning = false;
    askIn(waitMs);
  }

  document.addEventListener('visibilitychange', () => askIn(LIVE_MS), { signal });
  ask();
  return {
    arrived(newest) {
      if (newest && !isRunning && !isBusy) askIn(LIVE_MS);
    },
    stop() {
      own.abort();
      clearTimeout(timer);
    },
  };
}
