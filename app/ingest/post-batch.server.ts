import { noteReadings } from '../metrics/counts.server';
import { reasonInOneLine } from '../readings/field-error';
import type { ReadingStore } from '../store/reading-store';
import { arrayItems } from './array-items.server';
import type { ItemGroups } from './batch-item';
import { csvItems } from './csv-items.server';
import { notePost } from './device-posts.server';
import { ndjsonItems } from './ndjson-items.server';
import { rememberAddress, takeRoom } from './post-rate.server';
import type { PostRequest } from './post-reading.server';
import type { BatchBody } from './receive-body.server';
import { storeBatch } from './store-batch.server';
import { refusalOf, type WriteAnswer } from './write-refusal';

/**
 * Stores the readings of a batch: 201 with a report if all of them are stored now, 200 if some were refused, 400 if none
 * could be read, and 503 if the store failed before the end, both with the members of the report.
 */
export async function postBatch(
  store: Pick<ReadingStore, 'insertAll' | 'blocksOnInsert'>,
  { header, address: addressOf, translate }: PostRequest,
  body: BatchBody,
): Promise<WriteAnswer> {
  const items = readItems(body);
  if (!items.ok) return { ok: false, status: 400, detail: items.detail };
  const address = addressOf();
  const count = countReadings(body);
  const room = takeRoom(address, count);
  if (!room.ok) return room;
  const unit = body.format === 'array' ? 'item' : 'line';
  const { report, valid, failure, unknown, hasTimeless } = await storeBatch(
    store,
    items.groups,
    unit,
    translate,
  );
  const { stored, duplicates, refused } = report;
  room.giveBack(count - stored - unknown);
  noteReadings('stored', stored);
  noteReadings('duplicate', duplicates);
  noteReadings('refused', refused);
  if (stored + duplicates > 0) {
    rememberAddress(address);
    notePost(header);
  }
  if (failure) {
    const refusal = refusalOf(failure);
    const advice = hasTimeless
      ? 'Repeating it is safe for readings with created_at; the others would be stored twice.'
      : 'Send all of it again: no reading is stored twice.';
    const detail = `${refusal.detail} ${stored} readings of this post are stored. ${advice}`;
    return { ok: false, ...refusal, detail, mayBeStored: hasTimeless || undefined, members: { ...report } };
  }
  if (refused === 0 && valid === 0) return { ok: false, status: 400, detail: 'The body has no readings.' };
  if (refused === 0) return { ok: true, status: 201, value: report };
  const errors = report.errors[0]?.errors;
  if (valid > 0) {
    const detail = reasonInOneLine({ detail: `${refused} refused, ${stored} stored.`, errors });
    return { ok: true, status: 200, value: report, detail };
  }
  const detail = refused === 1 ? 'The reading is invalid.' : `All ${refused} readings are invalid.`;
  // The reason in the log. The answer has the errors of the report in their place.
  return { ok: false, status: 400, detail, errors, members: { ...report } };
}

/** Returns an upper bound of the number of readings, at least 1: a post without any counts too. */
function countReadings(body: BatchBody): number {
  if (body.format === 'array') return body.scanner.count;
  const header = body.format === 'csv' ? 1 : 0;
  return Math.max(body.lines - header, 1);
}

function readItems(body: BatchBody): { ok: true; groups: ItemGroups } | { ok: false; detail: string } {
  switch (body.format) {
    case 'array':
      return { ok: true, groups: arrayItems(body.bytes, body.scanner) };
    case 'ndjson':
      return { ok: true, groups: ndjsonItems(body.bytes) };
    case 'csv':
      return csvItems(body.bytes);
  }
}
