import { type BatchItem, GROUP_BYTES, GROUP_ITEMS, ITEM_LIMIT, type ItemGroups } from './batch-item';

const LINE_FEED = 0x0a;

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
  if (to - from > ITEM_LIMIT) return broken(at, 'is over 16 KiB');
  const text = bytes.toString('utf8', from, to).trim();
  if (text === '') return null;
  try {
    return { at, value: JSON.parse(text) };
  } catch {
    return broken(at, 'is not JSON');
  }
}

const broken = (at: number, detail: string): BatchItem => ({ at, error: { field: 'line', detail } });
