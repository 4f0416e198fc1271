import { findRange, RANGES, type Range } from '../readings/chart/range';
import { METRICS, type MetricField } from '../readings/metric';
import { type AskedSensor, MOST_ROOMS, sensorsIn } from '../readings/sensor';
import { canBeSensor, MAX_NAME_CHARACTERS } from '../readings/sensor-name.js';
import { parseSpan, SPAN_PARAMETERS } from '../readings/time/span-address';

export interface PageQuery {
  sensor: AskedSensor;
  /** The sensors of the address, if it names several and the page shows spans; else empty. */
  rooms: readonly string[];
  range: Range | null;
  /** True if the address names a span. The page computes its bounds in the viewer's time zone. */
  isOfSpan: boolean;
}

/**
 * Parses a page's address. If it names no sensor, takes the one that the viewer saw last. `known` are the parameters
 * besides `sensor`; others are ignored. Throws a 400 response for the error page.
 */
export function pageQuery(request: Request, ...known: ('range' | 'span')[]): PageQuery {
  const query = new URL(request.url).searchParams;
  const isOfSpan = known.includes('span') && isSpan(query);
  const range = known.includes('range') ? rangeIn(query) : null;
  const sensor = askedSensor(request, query);
  return { sensor, rooms: known.includes('span') ? roomsIn(query) : [], range, isOfSpan };
}

function roomsIn(query: URLSearchParams): string[] {
  const rooms = sensorsIn(query);
  if (rooms.length < 2) return [];
  for (const name of rooms) checkSensor(name);
  if (rooms.length > MOST_ROOMS) {
    const rule = `One chart shows at most ${MOST_ROOMS}, because more lines can't be told apart.`;
    throw badRequest('Too many rooms', `The address names ${rooms.length} rooms. ${rule} Leave some out.`);
  }
  if (query.has('range')) {
    const rule = 'A chart of several rooms shows a span, such as span=day.';
    throw badRequest('Unknown range', `${rule} Leave out the range, or all sensors but one.`);
  }
  return rooms;
}

/** Parses the address of `/rooms`: its group, its metric, and whether its span is valid. */
export function roomsQuery(request: Request): { sensor: AskedSensor; group: string; metric?: MetricField } {
  const query = new URL(request.url).searchParams;
  isSpan(query);
  const asked = query.get('metric');
  const metric = METRICS.find(({ field }) => field === asked)?.field;
  if (asked !== null && !metric) {
    const fields = METRICS.map(({ field }) => field).join(', ');
    throw badRequest('Unknown metric', `There is no metric "${asked}". Choose one of these: ${fields}.`);
  }
  return { sensor: askedSensor(request, query), group: query.get('group')?.trim() ?? '', metric };
}

function isSpan(query: URLSearchParams): boolean {
  if (!SPAN_PARAMETERS.some((name) => query.has(name))) return false;
  try {
    parseSpan(query);
  } catch (error) {
    throw badRequest('Unknown span', (error as Error).message);
  }
  if (!query.has('range')) return true;
  throw badRequest('Unknown span', 'The address has both a range and a span. Leave one of them out.');
}

function rangeIn(query: URLSearchParams): Range | null {
  const name = query.get('range');
  if (name === null) return null;
  const range = findRange(name);
  if (range) return range;
  const names = RANGES.map((known) => known.name).join(', ');
  throw badRequest('Unknown range', `The chart has no such range. Choose one of these: ${names}.`);
}

function askedSensor({ headers }: Request, query: URLSearchParams): AskedSensor {
  const chosen = query.get('sensor')?.trim();
  if (chosen === undefined) return { remembered: rememberedSensor(headers.get('Cookie') ?? '') };
  checkSensor(chosen);
  return { chosen };
}

function checkSensor(name: string): void {
  if (canBeSensor(name)) return;
  const rule = `A name has at most ${MAX_NAME_CHARACTERS} characters, and no control characters.`;
  throw badRequest('Unknown sensor', `No sensor has such a name. ${rule}`);
}

/** Returns the sensor in a `Cookie` header (RFC 6265, section 4.2). Ignores an invalid name. */
function rememberedSensor(cookies: string): string | undefined {
  const value = /(?:^|;) *sensor=([^;]*)/.exec(cookies)?.[1];
  if (value === undefined) return undefined;
  try {
    const name = decodeURIComponent(value.trim());
    return canBeSensor(name) ? name : undefined;
  } catch {
    return undefined;
  }
}

const badRequest = (statusText: string, detail: string) => new Response(detail, { status: 400, statusText });
