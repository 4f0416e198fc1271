import type { ArrayScanner } from './array-scanner.server';
import { type BatchItem, GROUP_BYTES, GROUP_ITEMS, ITEM_LIMIT, type ItemGroups } from './batch-item';

/** The bounds of an item in the bytes of its array. */
interface Slice {
  at: number;
  from: number;
  to: number;
}

/** Reads the items of a JSON array, numbered from 0. An array that isn't closed ends with an item that says so. */
export function* arrayItems(bytes: Buffer, { start, ends, isClosed }: ArrayScanner): ItemGroups {
  let group: Slice[] = [];
  let from = start + 1;
  for (const [at, to] of ends.entries()) {
    if (ends.length === 1 && isBlank(bytes, from, to)) break;
    const [first] = group;
    if (first && (group.length >= GROUP_ITEMS || to - first.from > GROUP_BYTES)) {
      yield parseGroup(bytes, group);
      group = [];
    }
    group.push({ at, from, to });
    from = to + 1;
  }
  if (group.length > 0) yield parseGroup(bytes, group);
  const at = ends.length;
  if (!isClosed) yield [broken(at, 'is where the array breaks off: its closing bracket is missing')];
  else if (!isBlank(bytes, (ends.at(-1) as number) + 1, bytes.length)) {
    yield [broken(at, 'follows the end of the array')];
  }
}

/** Parses neighbouring items at once, which is twice as fast, and each alone if that fails. */
function parseGroup(bytes: Buffer, group: readonly Slice[]): BatchItem[] {
  const { from } = group[0] as Slice;
  const { to } = group.at(-1) as Slice;
  if (group.every((item) => item.to - item.from <= ITEM_LIMIT)) {
    const values = tryParse(`[${bytes.toString('utf8', from, to)}]`);
    if (Array.isArray(values)) return values.map((value, i) => ({ at: (group[i] as Slice).at, value }));
  }
  return group.map(({ at, from, to }) => {
    if (to - from > ITEM_LIMIT) return broken(at, 'is over 16 KiB');
    const value = tryParse(bytes.toString('utf8', from, to));
    return value === undefined ? broken(at, 'is not JSON') : { at, value };
  });
}

const broken = (at: number, detail: string): BatchItem => ({ at, error: { field: 'item', detail } });

function isBlank(bytes: Buffer, from: number, to: number): boolean {
  return to - from <= ITEM_LIMIT && bytes.toString('latin1', from, to).trim() === '';
}

/** Returns undefined, which JSON doesn't have, for text that isn't JSON. */
function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
