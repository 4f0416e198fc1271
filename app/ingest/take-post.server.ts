/**
 * Handles a post from its body to its answer: one reading or a batch, from a program, a browser, or a device with its
 * own format.
 */
import { type ApiRequest, type Refusal, refusalOf, type WriteAnswer } from '../http/answer';
import { refuseReader } from '../http/guard/read-access.server';
import { noteReadings } from '../metrics/counts.server';
import { reasonInOneLine } from '../readings/field-error';
import { counted } from '../readings/format/counted.js';
import type { MetricField } from '../readings/metric';
import { type Reading, sensorOf, UNNAMED } from '../readings/reading';
import { DAY_MS } from '../readings/time/durations';
import { type ReadingStore, StoreUnavailableError } from '../store/reading-store';
import {
  ARRAY_LIMIT,
  arrayItems,
  countLines,
  type ItemGroups,
  ndjsonItems,
  nextBatchTurn,
  splitArray,
} from './batch-items.server';
import { csvItems } from './csv-items.server';
import { noteDevicePost } from './device-posts.server';
import type { Adapter, Translate } from './devices';
import { doubtfulIn, firstDoubtful } from './doubtful-values.server';
import { firstIgnored } from './ignored-members.server';
import { type LineRules, lineItems } from './line-protocol.server';
import { parseJson } from './parse-json';
import { parseReading } from './parse-reading.server';
import { rememberAddress, takeRoom } from './post-rate.server';
import {
  type BatchBody,
  BodyMemory,
  receiveItem,
  receiveLines,
  receiveReadings,
} from './receive-body.server';
import { type BatchResult, conflictDetail, storeBatch } from './store-batch.server';
import { refuseWrite } from './write-access.server';

interface PostRequest extends Pick<ApiRequest, 'header' | 'address'> {
  /** Translates the device's own format. */
  translate?: Translate;
  /**
   * For a sender that can't wait. A reading whose time is up to 15 minutes ahead gets the server's time (`now`), or 400. By
   * default, the answer asks to send it again.
   */
  ifAhead?: 'now' | 'refused';
  /** How far a time may be ahead, instead of 15 minutes. */
  longestWaitMs?: number;
}

/** For the log. The text is always the same, so that a source logs it once for a topic. */
const TAKEN_AS_NOW =
  "created_at is up to 15 minutes ahead of the server's clock, so the reading got the server's time. Set the device's clock";

export interface Post extends PostRequest, Pick<ApiRequest, 'body'> {}

/** Stores the reading or batch of a post. Call `refuseWrite` first. */
export async function takePost(store: ReadingStore, post: Post): Promise<WriteAnswer> {
  const memory = new BodyMemory(post);
  try {
    const received = await receiveReadings(post, memory);
    if (!received.ok) return received;
    return received.format === 'reading'
      ? await postReading(store, post, received.text)
      : await postBatch(store, post, received);
  } finally {
    memory.release();
  }
}

/** Stores a body of InfluxDB's line protocol. Call `refuseWrite` first. */
export async function takeLines(store: ReadingStore, post: Post, rules: LineRules): Promise<WriteAnswer> {
  const memory = new BodyMemory(post);
  try {
    const received = await receiveLines(post, memory);
    if (!received.ok) return received;
    return await postBatch(store, post, { text: received.text, format: 'lines', rules });
  } finally {
    memory.release();
  }
}

/** Stores a post of one reading. */
async function takeReading(store: ReadingStore, post: Post): Promise<WriteAnswer> {
  const memory = new BodyMemory(post);
  try {
    const received = await receiveItem(post, memory);
    return received.ok ? await postReading(store, post, received.text) : received;
  } finally {
    memory.release();
  }
}

/** The answer to a refused reading of a device with `confirmsRefused`. */
export interface RefusedReport {
  stored: 0;
  duplicates: 0;
  refused: 1;
  detail: string;
}

/** Stores a post in a device's own format. `?sensor=NAME` in the address sets the sensor. */
export async function takeDevicePost(
  store: ReadingStore,
  { header, address, body, url }: ApiRequest,
  { translate, confirmsRefused, needs200, nameHeader }: Adapter,
): Promise<WriteAnswer> {
  const refusal = refuseWrite({ header, address });
  if (refusal) return { ok: false, ...refusal };
  const name = url.searchParams.get('sensor');
  const named: Translate = (sent) => {
    const translation = translate(sent);
    if (!translation.ok) return translation;
    const sensor = name ?? translation.value.sensor ?? (nameHeader && header(nameHeader));
    return { ok: true, value: { ...translation.value, sensor } };
  };
  // A confirmed reading is deleted, so a clock that is hours ahead, as in another time zone, has to wait as well.
  const longestWaitMs = confirmsRefused && DAY_MS;
  const answer = await takeReading(store, { header, address, body, translate: named, longestWaitMs });
  if (answer.ok && needs200) return { ...answer, status: 200 };
  if (answer.ok || !confirmsRefused || !isFinal(answer) || isFull(answer)) return answer;
  const detail = reasonInOneLine(answer);
  const value: RefusedReport = { stored: 0, duplicates: 0, refused: 1, detail };
  return { ok: true, status: 200, value, detail };
}

/** True for a reading that can never be accepted, because it is invalid or in conflict with a stored one. */
export const isFinal = ({ status }: { status: number }) => status === 400 || status === 409;

/** True for a reading of a new sensor while the server has `MAX_SENSORS`: it is stored once that is raised. */
const isFull = ({ status, members }: Refusal) => status === 409 && members === undefined;

/** The answer to a single reading: the stored one, the number of unknown members that were ignored, and the doubtful metrics. */
export interface StoredReading extends Reading {
  ignored?: number;
  doubtful?: MetricField[];
}

const NOT_JSON: Refusal = {
  status: 400,
  detail:
    'The body is not JSON. Send {"co2": 415, "voc": 120}. For CSV, send "Content-Type: text/csv" as well.',
};

const TOO_MANY_ITEMS: { ok: false } & Refusal = {
  ok: false,
  status: 413,
  detail: `The array has more than ${ARRAY_LIMIT} items. Send the readings in several posts.`,
};

function postReading(
  store: Pick<ReadingStore, 'insert'>,
  request: PostRequest,
  text: string,
): WriteAnswer | Promise<WriteAnswer> {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    noteReadings('refused');
    return { ok: false, ...NOT_JSON };
  }
  return storeReading(store, request, value);
}

/** The refusal of readings whose time is a little ahead: 503, because a device then sends them again. */
function notYet(waitMs: number, detail: string): Refusal {
  const seconds = Math.ceil(waitMs / 1000);
  const advice = `Send it again in ${seconds} s, and set the device's clock.`;
  return { status: 503, detail: `${detail} ${advice}`, headers: { 'Retry-After': String(seconds) } };
}

/** Stores a parsed JSON value. Answers 201 with the stored row, 200 for a duplicate, 409 for a conflict, or 503 if its time is ahead. */
export async function storeReading(
  store: Pick<ReadingStore, 'insert'>,
  { header, address: addressOf, translate, ifAhead, longestWaitMs }: PostRequest,
  value: unknown,
): Promise<WriteAnswer> {
  const parsed = parseReading(value, { translate, ifAhead, longestWaitMs });
  if (!parsed.ok && parsed.waitMs !== undefined) {
    const { errors } = parsed;
    return { ok: false, errors, ...notYet(parsed.waitMs, 'The reading has a time in the future.') };
  }
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
    if (outcome !== 'stored') room.giveBack(1);
    noteReadings(outcome === 'conflict' ? 'refused' : outcome);
    if (outcome === 'conflict') {
      const mayRead = refuseReader({ header, address: addressOf }) === null;
      const detail = `created_at ${conflictDetail(stored, sent, mayRead)}.`;
      return { ok: false, status: 409, detail, members: mayRead ? { stored, sent } : { sent } };
    }
    rememberAddress(address);
    if (sensorOf(stored) === UNNAMED) noteDevicePost(header);
    const status = outcome === 'stored' ? 201 : 200;
    const { ignored, isAhead } = parsed;
    const doubtful = doubtfulIn(stored, header);
    const value: StoredReading =
      ignored || doubtful
        ? { ...stored, ...(ignored && { ignored: ignored.length }), ...(doubtful && { doubtful }) }
        : stored;
    const lines = [firstIgnored(sensorOf(stored), ignored), firstDoubtful(stored, doubtful)];
    const detail = [isAhead && TAKEN_AS_NOW, ...lines].filter(Boolean);
    return { ok: true, status, value, detail: detail.join('. ') || undefined };
  } catch (error) {
    const isUnknown = error instanceof StoreUnavailableError && error.mayBeStored;
    if (!isUnknown) room.giveBack(1);
    const mayBeStored = (isUnknown && sent.created_at === undefined) || undefined;
    const refusal = refusalOf(error);
    if (isFinal(refusal)) noteReadings('refused');
    return { ok: false, ...refusal, mayBeStored };
  }
}

/**
 * Stores a batch. Answers 201 if no reading was refused, 200 if some were, 400 if none is valid, and 503 if the store
 * failed. The body has the members of the report.
 */
export async function postBatch(
  store: Pick<ReadingStore, 'insertAll' | 'blocksOnInsert'>,
  { header, address: addressOf, translate, ifAhead }: PostRequest,
  body: BatchBody,
): Promise<WriteAnswer> {
  await nextBatchTurn();
  const items = await readItems(body);
  if (!items.ok) return items;
  const address = addressOf();
  const count = Math.max(items.count, 1);
  const room = takeRoom(address, count);
  if (!room.ok) return room;
  const unit = body.format === 'array' ? 'item' : 'line';
  const batch = await storeBatch(store, items.groups, unit, {
    ...{ translate, ifAhead },
    mayRead: readerCheck(header, addressOf),
  });
  const { report, valid, failure, unknown, isOfUnnamed, hasTimeless, detail: noted, waiting } = batch;
  const { stored, duplicates, refused } = report;
  room.giveBack(count - stored - unknown);
  noteReadings('stored', stored);
  noteReadings('duplicate', duplicates);
  noteReadings('refused', refused - waiting.count);
  if (stored + duplicates > 0) {
    rememberAddress(address);
    if (isOfUnnamed) noteDevicePost(header);
  }
  const fault = failure
    ? refusalOf(failure)
    : waiting.count > 0 && notYet(waiting.waitMs, aheadDetail(waiting));
  if (fault) {
    const advice = hasTimeless
      ? 'Repeating it is safe for readings with created_at; the others would be stored twice.'
      : 'Send all of it again: no reading is stored twice.';
    const detail = `${fault.detail} ${counted(stored, 'reading')} of this post ${stored === 1 ? 'is' : 'are'} stored. ${advice}`;
    return { ok: false, ...fault, detail, mayBeStored: hasTimeless || undefined, members: { ...report } };
  }
  // Most points of Telegraf are no readings.
  if (refused === 0 && valid === 0 && body.format !== 'lines')
    return { ok: false, status: 400, detail: 'The body has no readings.' };
  if (refused === 0) return { ok: true, status: 201, value: report, detail: noted };
  const errors = report.errors[0]?.errors;
  if (valid > 0) {
    const refusals = reasonInOneLine({ detail: `${refused} refused, ${stored} stored.`, errors });
    const detail = noted ? `${refusals}. ${noted}` : refusals;
    return { ok: true, status: 200, value: report, detail };
  }
  const detail = refused === 1 ? 'The reading is invalid.' : `All ${refused} readings are invalid.`;
  // `errors` is only for the log. The body gets the report's errors from `members`.
  return { ok: false, status: 400, detail, errors, members: { ...report } };
}

/** Returns a function that says whether a sender may read. It checks the key once, because a wrong one counts as a guess. */
function readerCheck(header: PostRequest['header'], address: PostRequest['address']): () => boolean {
  let mayRead: boolean | undefined;
  return () => {
    mayRead ??= refuseReader({ header, address }) === null;
    return mayRead;
  };
}

function aheadDetail({ count }: BatchResult['waiting']): string {
  return `${counted(count, 'reading')} of this post ${count === 1 ? 'has a time' : 'have times'} in the future.`;
}

/** The items of a batch. `count` is an upper bound of their number. */
type ReadItems = { ok: true; count: number; groups: ItemGroups } | ({ ok: false } & Refusal);

async function readItems(body: BatchBody): Promise<ReadItems> {
  const { format, text } = body;
  if (format === 'array') {
    const array = await splitArray(text);
    const count = array.texts.length;
    return count > ARRAY_LIMIT ? TOO_MANY_ITEMS : { ok: true, count, groups: arrayItems(array) };
  }
  const lines = await countLines(text);
  if (format === 'ndjson') return { ok: true, count: lines, groups: ndjsonItems(text) };
  if (format === 'lines') return { ok: true, count: lines, groups: lineItems(text, body.rules) };
  const csv = csvItems(text);
  return csv.ok ? { ...csv, count: lines - 1 } : { ...csv, status: 400 };
}
