/** The items of a batch. A body is text in one piece, and its items are parsed in groups, one for each event-loop turn. */
import { eventLoopTurns } from '../config/event-loop-turns.server';
import type { FieldError } from '../readings/field-error';
import { parseJson } from './parse-json';

/** Resolves in an event-loop turn that no other batch uses. */
export const nextBatchTurn = eventLoopTurns();

/** An item of a batch before it is parsed as a reading: a value from `JSON.parse`, or the error if it can't be read. */
export type BatchItem = { at: number } & ({ value: unknown } | { error: FieldError });

/** Groups of items, each for one event-loop turn. */
export type ItemGroups = Iterable<BatchItem[]>;

/** The length of a group. The items of one that is a little longer are still parsed in a few milliseconds. */
export const GROUP_LENGTH = 32 * 1024;

/** The most items of a group. Items of a few characters cost as much as others. */
const GROUP_ITEMS = 2000;

/** The largest reading, posted alone (in bytes) or as an item (in characters). A usual reading has about a hundred. */
export const ITEM_LIMIT = 16 * 1024;

/** The most items of a JSON array. */
export const ARRAY_LIMIT = 10_000;

/** A string, which may break off. More escapes than these don't fit into an item. */
const STRING = /"[^"\\]*(?:\\[\s\S][^"\\]*){0,8192}(?:"|\\?$)/;
/** A small object without other objects, arrays and escapes, as most readings are. */
const PLAIN_OBJECT = /\{[^{}[\]"\\]*(?:"[^"\\]*"[^{}[\]"\\]*){0,64}\}/;
/** The most tokens or lines for one event-loop turn. An array of readings has two tokens for each. */
const MOST_TOKENS = 50_000;
const TOKEN = new RegExp(`${PLAIN_OBJECT.source}|${STRING.source}|["[\\]{},]`, 'g');

/** The texts of an array's items, and what follows the last one if the array is broken. */
export interface ArrayTexts {
  texts: string[];
  fault?: string;
}

/**
 * Splits a JSON array into the texts of its items, up to the first one over `ARRAY_LIMIT`. Each is parsed alone, because
 * `JSON.parse` takes up to a second for 2 MiB of nested brackets. Doesn't check that brackets match: `JSON.parse` does.
 */
export async function splitArray(text: string): Promise<ArrayTexts> {
  const texts: string[] = [];
  let tokens = 0;
  let depth = 0;
  let from = text.indexOf('[') + 1;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    tokens += 1;
    if (tokens % MOST_TOKENS === 0) await nextBatchTurn();
    if (token === '"') return { texts, fault: 'is over 16 KiB, so nothing from this item on was read' };
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    const isClosed = depth === 0;
    if (!isClosed && (depth > 1 || token !== ',')) continue;
    texts.push(text.slice(from, index));
    from = index + 1;
    if (isClosed) return closedArray(texts, text.slice(from));
    if (texts.length > ARRAY_LIMIT) return { texts };
  }
  return { texts, fault: 'is where the array breaks off: its closing bracket is missing' };
}

function closedArray(texts: string[], rest: string): ArrayTexts {
  if (texts.length === 1 && texts[0]?.trim() === '') texts.pop();
  return rest.trim() === '' ? { texts } : { texts, fault: 'follows the end of the array' };
}

/** Parses the items of a JSON array, numbered from 0. If the array is broken, the last item is an error. */
export function* arrayItems({ texts, fault }: ArrayTexts): ItemGroups {
  let group: BatchItem[] = [];
  let length = 0;
  for (const [at, text] of texts.entries()) {
    group.push(parseItem('item', at, text));
    length += text.length;
    if (length < GROUP_LENGTH) continue;
    yield group;
    group = [];
    length = 0;
  }
  if (fault !== undefined) group.push(broken('item', texts.length, fault));
  yield group;
}

/** Parses the lines of NDJSON, numbered from 1. Skips blank lines. */
export function* ndjsonItems(text: string): ItemGroups {
  let line = 1;
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from + GROUP_LENGTH);
    const to = end < 0 ? text.length : end;
    let group: BatchItem[] = [];
    for (const each of text.slice(from, to).split('\n')) {
      if (each.length > ITEM_LIMIT || each.trim() !== '') group.push(parseItem('line', line, each));
      line += 1;
      if (group.length < GROUP_ITEMS) continue;
      yield group;
      group = [];
    }
    yield group;
    from = to + 1;
  }
}

/** Counts the lines that aren't blank. NDJSON and CSV never have more readings than lines. */
export async function countLines(text: string): Promise<number> {
  const line = /\S[^\r\n]*/g;
  let count = 0;
  while (line.test(text)) {
    count += 1;
    if (count % MOST_TOKENS === 0) await nextBatchTurn();
  }
  return count;
}

function parseItem(field: 'item' | 'line', at: number, text: string): BatchItem {
  if (text.length > ITEM_LIMIT) return broken(field, at, 'is over 16 KiB');
  try {
    return { at, value: parseJson(text) };
  } catch {
    return broken(field, at, 'is not JSON');
  }
}

function broken(field: 'item' | 'line', at: number, detail: string): BatchItem {
  return { at, error: { field, detail } };
}
