import { csvNewline } from './csv-newline.server.js';

const HEADER_LIMIT = 16 * 1024;
/** Header cells that a message quotes at most. */
const SHOWN_CELLS = 8;
const SHOWN_CHARACTERS = 40;

/** Columns that readings are taken from. Others are ignored. */
const COLUMNS = ['created_at', 'sensor', 'co2', 'voc'] as const;
type Column = (typeof COLUMNS)[number];

/** How a CSV file separates its cells and its lines. */
export interface CsvDialect {
  delimiter: string;
  newline: '\n' | '\r';
}

/** The positions of the columns in a record. A file has `co2` or `voc` at least. */
export interface CsvHeader {
  positions: Partial<Record<Column, number>>;
  cells: number;
}

/** Finds the delimiter in the first line: the one that it has most of outside of quotes. */
export function csvDialect(bytes: Buffer): CsvDialect {
  const beginning = bytes.toString('utf8', 0, HEADER_LIMIT);
  const newline = csvNewline(beginning);
  const [line = ''] = beginning.split(newline, 1);
  const unquoted = line.replaceAll(/"[^"]*"/g, '');
  const count = (delimiter: string) => unquoted.split(delimiter).length;
  const [delimiter = ','] = [',', ';', '\t'].sort((a, b) => count(b) - count(a));
  return { delimiter, newline };
}

/**
 * Finds the columns by the names in the header, whatever their case.
 *
 * @returns their positions, or the reason why the header can't be used
 */
export function readHeader(
  cells: readonly string[],
): ({ ok: true } & CsvHeader) | { ok: false; detail: string } {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  const positions: CsvHeader['positions'] = {};
  for (const column of COLUMNS) {
    const position = names.indexOf(column);
    if (position >= 0) positions[column] = position;
    if (names.lastIndexOf(column) !== position) {
      return { ok: false, detail: `The header has more than one column "${column}". Leave one of them.` };
    }
  }
  if ('co2' in positions || 'voc' in positions) return { ok: true, positions, cells: cells.length };
  const isNumbers = names.some((name) => name !== '' && Number.isFinite(Number(name)));
  const missing = isNumbers
    ? 'The CSV has no header: its first line has numbers. Put a line with the names of the columns before it'
    : 'The CSV has no column "co2" or "voc". Name the columns';
  return { ok: false, detail: `${missing}, like "created_at,co2,voc". The first line is ${shown(cells)}.` };
}

function shown(cells: readonly string[]): string {
  if (cells.length === 0) return 'empty';
  const texts = cells.slice(0, SHOWN_CELLS).map((cell) => JSON.stringify(cell.slice(0, SHOWN_CHARACTERS)));
  return texts.join(', ') + (cells.length > SHOWN_CELLS ? ', …' : '');
}
