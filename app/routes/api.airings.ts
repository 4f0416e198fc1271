import { spanRoute } from '../history/span-route.server';
import { readingQueryParser } from '../http/query.server';
import { answerAirings } from '../room/answer-room.server';
import { settingsFor } from '../store/open-store.server';
import { StoreUnavailableError } from '../store/reading-store';

const parseQuery = readingQueryParser('sensor', 'from', 'to');

/** GET /api/airings: the times at which a window was open, found in the CO2 readings. */
export const loader = spanRoute(parseQuery, async ({ store, span, now }) => {
  const source = { store, sensor: span.sensor, settings: settingsFor(span.sensor) };
  const { airings, missing } = await answerAirings(source, span, now / 1000);
  if (airings) return { ok: true, value: { answer: airings, end: span.to } };
  throw new StoreUnavailableError(
    `The airings of ${missing} more days are still being computed. Ask again in a second.`,
    1,
  );
});
