import { noteReadings } from '../metrics/counts.server';
import { ReadingRejectedError, type ReadingStore, StoreUnavailableError } from '../store/reading-store';
import { noteSinglePost } from './batch-turns.server';
import { conflictDetail } from './conflict-detail';
import { notePost } from './device-posts.server';
import { parseReading } from './parse-reading.server';
import { rememberAddress, takeRoom } from './post-rate.server';
import { refusalOf, type WriteAnswer } from './write-refusal';

/** The parts of a request that count a post. */
export interface PostRequest {
  header(name: string): string | null;
  /** Returns the client's address. */
  address(): string;
}

const NOT_JSON =
  'The body is not JSON. Send {"co2": 415, "voc": 120}. For CSV, send "Content-Type: text/csv" as well.';

/**
 * Stores the reading of a post: 201 with the stored row, 200 if it was stored before, 409 if another one of its sensor
 * and time was.
 */
export async function postReading(
  store: Pick<ReadingStore, 'insert'>,
  { header, address: addressOf }: PostRequest,
  bytes: Buffer,
): Promise<WriteAnswer> {
  noteSinglePost();
  const json = parseJson(bytes);
  if (!json) {
    noteReadings('refused');
    return { ok: false, status: 400, detail: NOT_JSON };
  }
  const parsed = parseReading(json.value);
  if (!parsed.ok) {
    noteReadings('refused');
    return { ok: false, status: 400, detail: 'The reading is invalid.', errors: parsed.errors };
  }
  const sent = parsed.reading;
  const address = addressOf();
  const room = takeRoom(address);
  if (!room.ok) return room;
  try {
    const { outcome, reading: stored } = await store.insert(sent);
    noteReadings(outcome === 'conflict' ? 'refused' : outcome);
    if (outcome !== 'stored') room.giveBack(1);
    if (outcome === 'conflict') {
      const detail = `created_at ${conflictDetail(stored, sent)}.`;
      return { ok: false, status: 409, detail, members: { stored, sent } };
    }
    rememberAddress(address);
    notePost(header);
    return { ok: true, status: outcome === 'stored' ? 201 : 200, value: stored };
  } catch (error) {
    const isUnknown = error instanceof StoreUnavailableError && error.mayBeStored;
    if (!isUnknown) room.giveBack(1);
    if (error instanceof ReadingRejectedError) noteReadings('refused');
    const mayBeStored = (isUnknown && sent.created_at === undefined) || undefined;
    return { ok: false, ...refusalOf(error), mayBeStored };
  }
}

function parseJson(bytes: Buffer): { value: unknown } | null {
  try {
    return { value: JSON.parse(bytes.toString()) };
  } catch {
    return null;
  }
}
