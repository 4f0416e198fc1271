/**
 * The items of a JSON array or of NDJSON. `ArrayScanner` and `LineCounter` count them while the body arrives, so that a
 * body with too many items is refused early.
 */

import { at } from '../readings/at';
import type { FieldError } from '../readings/field-error';

/** An item of a batch before it is parsed as a reading: a value from `JSON.parse`, or the error if it can't be read. */
export type BatchItem = { at: number } & ({ value: unknown } | { error: FieldError });

/** Groups of items, each for one event-loop turn. */
export type ItemGroups = Iterable<BatchItem[]>;

/** The most items and bytes per event-loop turn. Items that live for many turns slow down garbage collection. */
export const GROUP_ITEMS = 100;
export const GROUP_BYTES = 32 * 1024;

/** The largest reading in bytes, posted alone or as an item. A usual reading has about a hundred. */
export const ITEM_LIMIT = 16 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Finds the items of a JSON array while its bytes arrive, because `JSON.parse` of 8 MiB would block the event loop for
 * 100 ms. Doesn't check that brackets match: `JSON.parse` checks each item later.
 */
export class ArrayScanner {
  /** Offsets of the commas between items, and of the bracket that closes the array. */
  readonly ends: number[] = [];
  isClosed = false;
  #offset: number;
  #depth = 0;
  #isText = false;
  #isEscaped = false;

  /** The number of items so far, including one that is still arriving. */
  get count(): number {
    return this.ends.length + (this.isClosed ? 0 : 1);
  }

  /** @param start the offset of the array's opening bracket, the first byte that is scanned */
  constructor(readonly start: number) {
    this.#offset = start;
  }

  scan(bytes: Uint8Array): void {
    let depth = this.#depth;
    let isText = this.#isText;
    let isEscaped = this.#isEscaped;
    for (let i = 0; i < bytes.length && !this.isClosed; i++) {
      const byte = bytes[i];
      if (isEscaped) isEscaped = false;
      else if (isText) {
        if (byte === QUOTE) isText = false;
        else if (byte === BACKSLASH) isEscaped = true;
      } else if (byte === QUOTE) isText = true;
      else if (byte === COMMA) {
        if (depth === 1) this.ends.push(this.#offset + i);
      } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth += 1;
      else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
        depth -= 1;
        if (depth === 0) {
          this.ends.push(this.#offset + i);
          this.isClosed = true;
        }
      }
    }
    this.#depth = depth;
    this.#isText = isText;
    this.#isEscaped = isEscaped;
    this.#offset += bytes.length;
  }
}

interface Slice {
  at: number;
  from: number;
  to: number;
}

/** Reads the items of a JSON array, numbered from 0. If the array is broken, the last item is an error. */
export function* arrayItems(bytes: Buffer, { start, ends, isClosed }: ArrayScanner): ItemGroups {
  let group: Slice[] = [];
  let from = start + 1;
  for (const [item, to] of ends.entries()) {
    if (ends.length === 1 && isBlank(bytes, from, to)) break;
    const [first] = group;
    if (first && (group.length >= GROUP_ITEMS || to - first.from > GROUP_BYTES)) {
      yield parseGroup(bytes, group);
      group = [];
    }
    group.push({ at: item, from, to });
    from = to + 1;
  }
  if (group.length > 0) yield parseGroup(bytes, group);
  const next = ends.length;
  if (!isClosed)
    yield [broken('item', next, 'is where the array breaks off: its closing bracket is missing')];
  else if (!isBlank(bytes, at(ends, next - 1) + 1, bytes.length)) {
    yield [broken('item', next, 'follows the end of the array')];
  }
}

/** Parses neighbouring items together, which is twice as fast, or one by one if that fails. */
function parseGroup(bytes: Buffer, group: readonly Slice[]): BatchItem[] {
  const { from } = at(group, 0);
  const { to } = at(group, group.length - 1);
  if (group.every((item) => item.to - item.from <= ITEM_LIMIT)) {
    const values = tryParse(`[${bytes.toString('utf8', from, to)}]`);
    if (Array.isArray(values)) return values.map((value, i) => ({ at: at(group, i).at, value }));
  }
  return group.map(({ at, from, to }) => {
    if (to - from > ITEM_LIMIT) return broken('item', at, 'is over 16 KiB');
    const value = tryParse(bytes.toString('utf8', from, to));
    return value === undefined ? broken('item', at, 'is not JSON') : { at, value };
  });
}

function isBlank(bytes: Buffer, from: number, to: number): boolean {
  return to - from <= ITEM_LIMIT && bytes.toString('latin1', from, to).trim() === '';
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;

/**
 * Counts the lines that aren't blank. A line ends with LF, CR or CRLF. A body never has more readings than lines. CSV
 * may have fewer, because quotes can enclose line ends.
 */
export class LineCounter {
  count = 0;
  #isBlank = true;

  scan(bytes: Uint8Array): void {
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i];
      if (byte === LINE_FEED || byte === CARRIAGE_RETURN) this.#isBlank = true;
      else if (this.#isBlank && byte !== SPACE && byte !== TAB) {
        this.#isBlank = false;
        this.count += 1;
      }
    }
  }
}

/** Reads the lines of NDJSON, numbered from 1. Skips blank lines. */
export function* ndjsonItems(bytes: Buffer): ItemGroups {
  let group: BatchItem[] = [];
  let groupFrom = 0;
  let from = 0;
  for (let line = 1; from < bytes.length; line++) {
    const end = bytes.indexOf(LINE_FEED, from);
    const to = end < 0 ? bytes.length : end;
    const item = parseLine(bytes, line, from, to);
    if (item) group.push(item);
    from = to + 1;
    if (group.length < GROUP_ITEMS && from - groupFrom < GROUP_BYTES) continue;
    yield group;
    group = [];
    groupFrom = from;
  }
  if (group.length > 0) yield group;
}

function parseLine(bytes: Buffer, at: number, from: number, to: number): BatchItem | null {
  if (to - from > ITEM_LIMIT) return broken('line', at, 'is over 16 KiB');
  const text = bytes.toString('utf8', from, to).trim();
  if (text === '') return null;
  try {
    return { at, value: JSON.parse(text) };
  } catch {
    return broken('line', at, 'is not JSON');
  }
}

function broken(field: 'item' | 'line', at: number, detail: string): BatchItem {
  return { at, error: { field, detail } };
}
