import Papa from 'papaparse';
import { unguardFormula } from '../readings/formula-guard.js';
import { byMetric, METRICS } from '../readings/metric';
import { inUnit } from '../readings/metric-units.js';
import { misspeltMetric } from '../readings/misspelt-metric';
import { type BatchItem, GROUP_LENGTH, ITEM_LIMIT, type ItemGroups } from './batch-items.server';
import { breaksIn, csvNewline, misquotedDetail, raggedDetail, withNewline } from './csv-text.server.js';
import { KNOWN_MEMBERS } from './parse-reading.server';

interface CsvRecord {
  /** The line in which the record begins, from 1. */
  line: number;
  cells: string[];
  broken?: string;
}

/**
 * Reads CSV (RFC 4180). Items are numbered by line; the header is line 1. Skips blank lines. An empty cell or a missing
 * column means no time, no sensor, or null for a metric. Returns the items in groups, or an error if the header can't
 * be used.
 */
export function csvItems(text: string): { ok: true; groups: ItemGroups } | { ok: false; detail: string } {
  const groups = readRecords(text, csvDialect(text));
  const [top, ...rest]: CsvRecord[] = groups.next().value ?? [];
  if (top?.broken) return { ok: false, detail: `The header ${top.broken}.` };
  const header = readHeader(top?.cells ?? []);
  return header.ok ? { ok: true, groups: toItems(rest, groups, header) } : header;
}

function* toItems(first: CsvRecord[], groups: Iterable<CsvRecord[]>, header: CsvHeader): ItemGroups {
  yield first.map((record) => toItem(record, header));
  for (const group of groups) yield group.map((record) => toItem(record, header));
}

function toItem(
  { line, cells, broken }: CsvRecord,
  { positions, others, cells: expected }: CsvHeader,
): BatchItem {
  if (broken) return { at: line, error: { field: 'line', detail: broken } };
  if (cells.length !== expected) {
    return { at: line, error: { field: 'line', detail: raggedDetail(cells.length, expected) } };
  }
  const cell = (position: number | undefined) =>
    position === undefined ? null : cells[position]?.trim() || null;
  const name = cell(positions.sensor);
  // `fromEntries`, because a column may be called `__proto__`.
  const ignored = others
    .map(([name, position]) => [name, cell(position)])
    .filter(([, text]) => text !== null);
  const value = {
    ...Object.fromEntries(ignored),
    ...byMetric(({ field }) => cell(positions[field])),
    created_at: cell(positions.created_at),
    sensor: name === null ? null : unguardFormula(name),
  };
  return { at: line, value };
}

/**
 * Yields records in groups, because Papa Parse takes up to a second for 2 MiB of line breaks. Stops at a record that
 * never ends because a quote isn't closed.
 */
function* readRecords(text: string, { delimiter, newline }: CsvDialect): Generator<CsvRecord[], undefined> {
  let line = 1;
  /** The beginning of a record that continues in the next piece, because it has a line break in quotes. */
  let rest = '';
  for (let from = 0; from < text.length; ) {
    const to = pieceEnd(text, from, newline);
    const isLast = to === text.length;
    const piece = rest + withNewline(text.slice(from, to), newline);
    from = to;
    // Papa's own streams use this class. Unlike the function `parse`, it can leave an incomplete record for the next
    // piece.
    const parser = new Papa.Parser({ delimiter, newline });
    const { data, errors, meta }: Papa.ParseResult<string[]> = parser.parse(piece, 0, !isLast);
    rest = isLast ? '' : piece.slice(meta.cursor);
    const misquoted = new Map(errors.map(({ row, code }) => [row, code]));
    const hasQuotes = piece.includes('"');
    const group: CsvRecord[] = [];
    for (const [row, cells] of data.entries()) {
      const code = misquoted.get(row);
      if (code) {
        const broken = misquotedDetail(line, cells, newline, code === 'MissingQuotes');
        group.push({ line, cells, broken });
      } else if (!isBlank(cells)) group.push({ line, cells });
      line += 1 + (hasQuotes ? breaksIn(cells, newline) : 0);
    }
    const isBroken = rest.length > ITEM_LIMIT;
    if (isBroken) group.push({ line, cells: [], broken: NEVER_ENDS });
    yield group;
    if (isBroken) return;
  }
}

const NEVER_ENDS = 'is over 16 KiB, or has a quote that is not closed, so nothing from this line on was read';

/** Returns the end of a piece: after a line break if there is one. */
function pieceEnd(text: string, from: number, newline: string): number {
  const limit = from + GROUP_LENGTH;
  if (limit >= text.length) return text.length;
  const end = text.lastIndexOf(newline, limit - 1);
  return end < from ? limit : end + 1;
}

/** Returns true if no cell has a value. Spreadsheets write such lines below a table. */
const isBlank = (cells: readonly string[]) => cells[0]?.trim() === '' && cells.every((cell) => !cell.trim());

const HEADER_LIMIT = 16 * 1024;
const SHOWN_CELLS = 8;
const SHOWN_CHARACTERS = 40;

const FIELDS = METRICS.map(({ field }) => field);
const COLUMNS = ['created_at', 'sensor', ...FIELDS] as const;
type Column = (typeof COLUMNS)[number];

interface CsvDialect {
  delimiter: string;
  newline: '\n' | '\r';
}

/** The positions of the columns. At least one column is a metric. */
interface CsvHeader {
  positions: Partial<Record<Column, number>>;
  /** The names and positions of unknown columns. */
  others: [string, number][];
  cells: number;
}

/** Returns the line break, and the delimiter that is most frequent in the first line, outside quotes. */
function csvDialect(text: string): CsvDialect {
  const beginning = text.slice(0, HEADER_LIMIT);
  const newline = csvNewline(beginning);
  const [line = ''] = beginning.split(newline, 1);
  const unquoted = line.replaceAll(/"[^"]*"/g, '');
  const count = (delimiter: string) => unquoted.split(delimiter).length;
  const [delimiter = ','] = [',', ';', '\t'].sort((a, b) => count(b) - count(a));
  return { delimiter, newline };
}

/**
 * Finds the columns by their names, ignoring case. Returns their positions, or an error if the header can't be used.
 */
function readHeader(cells: readonly string[]): ({ ok: true } & CsvHeader) | { ok: false; detail: string } {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  const positions: CsvHeader['positions'] = {};
  for (const column of COLUMNS) {
    const position = names.indexOf(column);
    if (position >= 0) positions[column] = position;
    if (names.lastIndexOf(column) !== position) {
      return { ok: false, detail: `The header has more than one column "${column}". Leave one of them.` };
    }
  }
  const others = [...names.entries()].flatMap(([position, name]): [string, number][] =>
    name === '' || KNOWN_MEMBERS.has(name) ? [] : [[name, position]],
  );
  for (const [name, position] of others) {
    const metric = misspeltMetric(name);
    if (!metric) continue;
    const shownName = shown([cells[position] ?? '']);
    return {
      ok: false,
      detail: `The header has an unknown column ${shownName}. Name it ${inUnit(metric.field)}.`,
    };
  }
  if (FIELDS.some((field) => field in positions)) return { ok: true, positions, others, cells: cells.length };
  const isNumbers = names.some((name) => name !== '' && Number.isFinite(Number(name)));
  const missing = isNumbers
    ? 'The CSV has no header: its first line has numbers. Put a line with the names of the columns before it'
    : `The CSV has no column of a metric (${FIELDS.join(', ')}). Name the columns`;
  return { ok: false, detail: `${missing}, like "created_at,co2,voc". The first line is ${shown(cells)}.` };
}

function shown(cells: readonly string[]): string {
  if (cells.length === 0) return 'empty';
  const texts = cells.slice(0, SHOWN_CELLS).map((cell) => JSON.stringify(cell.slice(0, SHOWN_CHARACTERS)));
  return texts.join(', ') + (cells.length > SHOWN_CELLS ? ', …' : '');
}
