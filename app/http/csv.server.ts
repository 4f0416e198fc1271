/** Readings and notes as CSV files: their columns, and the headers of an answer with such a file. */
import { guardFormula } from '../readings/formula-guard.js';
import type { RoomNumbers } from '../readings/history/room-numbers';
import { MAIN_METRICS, METRICS, type MetricField } from '../readings/metric';
import type { Note } from '../readings/note';
import type { Reading } from '../readings/reading';
import { parseAddressTime } from '../readings/time/reading-time';
import type { ApiRequest } from './answer';
import { CSV_TYPE, type PageFormat } from './formats.server';
import { JSON_HEADERS } from './json-response.server';

/**
 * Returns the format of readings as CSV (RFC 4180) with a header line. An unknown value and the unnamed sensor become
 * empty fields.
 *
 * @param measured the metrics that have columns besides CO2 and VOC
 */
export function csvFormat(measured: readonly MetricField[]): PageFormat<Reading> {
  const others = METRICS.filter(
    (metric) => !MAIN_METRICS.includes(metric) && measured.includes(metric.field),
  ).map(({ field }) => field);
  return {
    start: `created_at,sensor,${['co2', 'voc', ...others]},id\r\n`,
    separator: '',
    end: '',
    encode(readings) {
      let text = '';
      let sensor: string | undefined;
      let name = '';
      for (const reading of readings) {
        if (reading.sensor !== sensor) {
          sensor = reading.sensor;
          name = sensor === undefined ? '' : csvField(guardFormula(sensor));
        }
        const { created_at, co2, voc, id } = reading;
        let values = '';
        for (const field of others) values += `${reading[field] ?? ''},`;
        text += `${created_at},${name},${co2 ?? ''},${voc ?? ''},${values}${id}\r\n`;
      }
      return text;
    },
  };
}

/** Returns notes as CSV. `npm run import` recognises such a file by its header. */
export function notesCsv(notes: readonly Note[]): string {
  const rows = notes.map(({ id, sensor, from, to, text }) =>
    [from, to ?? '', csvField(guardFormula(sensor)), csvField(guardFormula(text)), id].join(','),
  );
  return ['from,to,sensor,text,id', ...rows, ''].join('\r\n');
}

/** Returns the numbers of rooms as CSV. An unknown number becomes an empty field. */
export function roomsCsv(rooms: readonly RoomNumbers[]): string {
  const fieldOf = (value: string | number | null) =>
    typeof value === 'string' ? csvField(guardFormula(value)) : (value ?? '');
  const rows = rooms.map((room) => ROOM_COLUMNS.map((column) => fieldOf(room[column])).join(','));
  return [ROOM_COLUMNS.join(','), ...rows, ''].join('\r\n');
}

/** The columns of `roomsCsv`. */
const ROOM_COLUMNS: readonly (keyof RoomNumbers)[] = [
  'sensor',
  'group',
  'average',
  'highest',
  'highest_at',
  'worst_hour',
  'good_seconds',
  'moderate_seconds',
  'poor_seconds',
  'measured_seconds',
];

/** Quotes a field that a spreadsheet would otherwise split, for any list separator and quote character. */
function csvField(text: string): string {
  return /[",;'\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Headers of a CSV file; never cached. The file's name contains the sensor and the days of `from` and `to`, in the offsets
 * from UTC in which the request writes them.
 *
 * @param request a request whose query is valid
 * @param name the beginning of the file's name
 */
export function csvHeaders({ url }: ApiRequest, sensor = '', name = 'airboard'): Record<string, string> {
  const [from, to] = [url.searchParams.get('from'), url.searchParams.get('to')];
  const fileName = `${[name, sensor, days(from, to)].filter(Boolean).join('-')}.csv`;
  return {
    ...JSON_HEADERS,
    'Content-Type': CSV_TYPE,
    'Content-Disposition': attachment(fileName),
    Vary: 'Accept',
  };
}

/** Returns the first and the last day. Without an end, the last day is today in UTC. `to` is exclusive. */
function days(from: string | null, to: string | null): string {
  const first = from && dayAt(from, 0);
  const last = to ? dayAt(to, -1) : new Date().toISOString().slice(0, 10);
  return first && first < last ? `${first}-to-${last}` : last;
}

/** Returns the day in a time's own offset from UTC, some milliseconds later. A plus sign may have arrived as a space. */
function dayAt(time: string, laterMs: number): string {
  const [offset, sign, hours, minutes = '0'] = /([+ -])(\d\d):?(\d\d)?$/.exec(time.slice(10)) ?? [];
  const offsetMs = offset ? (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000 : 0;
  const us = parseAddressTime(time);
  return us === null ? '' : new Date(us / 1000 + laterMs + offsetMs).toISOString().slice(0, 10);
}

/**
 * Returns a `Content-Disposition` (RFC 6266). Replaces characters that file systems reject and invisible ones with `_`.
 * For clients that know only ASCII, `_` also replaces all other characters.
 */
export function attachment(fileName: string): string {
  const safe = fileName.replace(/[/\\:*?"<>|%\p{C}]/gu, '_');
  const ascii = safe.replace(/[^ -~]/gu, '_');
  return `attachment; filename="${ascii}"${ascii === safe ? '' : `; filename*=UTF-8''${encodeValue(safe)}`}`;
}

/** Encodes text as an `ext-value` of RFC 8187, which allows fewer characters than `encodeURIComponent` leaves. */
function encodeValue(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}
