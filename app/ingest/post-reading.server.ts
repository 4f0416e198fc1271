import { noteReadings, type Outcome } from '../metrics/counts.server';
import { sensorOf, UNNAMED } from '../readings/reading';
import { type ReadingStore, StoreUnavailableError } from '../store/reading-store';
import type { Translate } from './adapters/adapter';
import { noteSinglePost } from './batch-turns.server';
import { conflictDetail } from './conflict-detail';
import { notePost } from './device-posts.server';
import { parseSent } from './parse-sent.server';
import { rememberAddress, takeRoom } from './post-rate.server';
import { refusalOf, type WriteAnswer } from './write-refusal';

/** The parts of a request that count a post. */
export interface PostRequest {
  header(name: string): string | null;
  /** Returns the client's address. */
  address(): string;
  /** Translates what a device sends in its own words. */
  translate?: Translate;
}

const NOT_JSON =
  'The body is not JSON. Send {"co2": 415, "voc": 120}. For CSV, send "Content-Type: text/csv" as well.';

/** How an answer's status counts its reading. Others say nothing about the reading. */
const OUTCOMES: Record<number, Outcome> = { 201: 'stored', 200: 'duplicate', 400: 'refused', 409: 'refused' };

/**
 * Stores the reading of a post: 201 with the stored row, 200 if it was stored before, 409 if another one of its sensor
 * and time was.
 */
export async function postReading(
  store: Pick<ReadingStore, 'insert'>,
  request: PostRequest,
  bytes: Buffer,
): Promise<WriteAnswer> {
  const json = parseJson(bytes);
  return counted(
    json ? await insertSent(store, request, json.value) : { ok: false, status: 400, detail: NOT_JSON },
  );
}

/** Stores a reading that was sent as a value like one of `JSON.parse`. Answers as `postReading` does. */
export async function storeReading(
  store: Pick<ReadingStore, 'insert'>,
  request: PostRequest,
  value: unknown,
): Promise<WriteAnswer> {
  return counted(await insertSent(store, request, value));
}

/** Counts the reading that an answer is about. */
function counted(answer: WriteAnswer): WriteAnswer {
  const outcome = OUTCOMES[answer.status];
  if (outcome) noteReadings(outcome);
  return answer;
}

async function insertSent(
  store: Pick<ReadingStore, 'insert'>,
  { header, address: addressOf, translate }: PostRequest,
  value: unknown,
): Promise<WriteAnswer> {
  noteSinglePost();
  const parsed = parseSent(value, translate);
  if (!parsed.ok) return { ok: false, status: 400, detail: 'The reading is invalid.', errors: parsed.errors };
  const sent = parsed.reading;
  const address = addressOf();
  const room = takeRoom(address);
  if (!room.ok) return room;
  try {
    const { outcome, reading: stored } = await store.insert(sent);
    if (outcome !== 'stored') room.giveBack(1);
    if (outcome === 'conflict') {
      const detail = `created_at ${conflictDetail(stored, sent)}.`;
      return { ok: false, status: 409, detail, members: { stored, sent } };
    }
    rememberAddress(address);
    if (sensorOf(stored) === UNNAMED) notePost(header);
    return { ok: true, status: outcome === 'stored' ? 201 : 200, value: stored };
  } catch (error) {
    const isUnknown = error instanceof StoreUnavailableError && error.mayBeStored;
    if (!isUnknown) room.giveBack(1);
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
