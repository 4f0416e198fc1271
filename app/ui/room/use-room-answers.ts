import { useContext, useEffect } from 'react';
import { useLive } from '../../live/browser/use-live';
import type { LiveReadings } from '../../live/browser/use-readings';
import type { AiringAnswer, VentilationAnswer } from '../../readings/room/ventilation-answer';
import { OutdoorSensorContext } from '../page-contexts';

/** The minimum time between two requests while readings arrive. */
const LIVE_MS = 30_000;

/** The interval of requests without new readings, while the page is visible. */
const IDLE_MS = 60_000;

/** If requests fail, the last answer stays valid for this long. */
const KEPT_MS = 120_000;

/** The part of the live readings that requests depend on. */
type RoomReadings = Pick<LiveReadings, 'sensor' | 'history' | 'last' | 'connection'>;

/**
 * Returns the ventilation of a sensor's room; null before the first answer, and for a sensor
 * without CO2 and humidity if none is outdoors.
 */
export function useVentilation(readings: RoomReadings): VentilationAnswer | null {
  return useRoomAnswer(readings, addressOf('ventilation', readings.sensor));
}

/**
 * Returns the airings of a span, oldest first; null before the first answer, and for a sensor without CO2 and humidity. While a new
 * span loads, returns the previous span's airings. Without `to`, the span ends now. Sends no request for a null span.
 */
export function useAirings(
  readings: RoomReadings,
  span: { from: number; to?: number } | null,
): readonly AiringAnswer[] | null {
  return useRoomAnswer(readings, span && addressOf('airings', readings.sensor, span));
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
function useRoomAnswer<T>({ sensor, history, last, connection }: RoomReadings, address: string | null) {
  const hasOutdoors = useContext(OutdoorSensorContext) !== null;
  const hasRoom = history.some(({ co2, humidity }) => (co2 ?? humidity ?? null) !== null);
  const isAsked = connection.state === 'live' && (hasRoom || (hasOutdoors && history.length > 0));
  const question = isAsked && address !== null ? { address, sensor } : null;
  const { answered, failure, again } = useLive<T, { address: string; sensor: string }>(question, {
    everyMs: IDLE_MS,
  });
  useEffect(() => {
    if (last) again(LIVE_MS);
  }, [last, again]);
  if (answered?.question.sensor !== sensor) return null;
  return failure && performance.now() - answered.arrivedAt > KEPT_MS ? null : answered.answer;
}
