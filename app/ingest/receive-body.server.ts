/**
 * Receives the body of a post, within the memory that all bodies together may use.
 *
 * Where several readings are accepted, `Content-Type` says if a body is CSV or NDJSON. With any other type it is JSON,
 * because cheap boards leave the type out. JSON that begins with `[` is an array of readings.
 */
import { isUtf8 } from 'node:buffer';
import { singleton } from '../config/singleton.server';
import type { ApiRequest, Refusal } from '../http/answer';
import { ArrayScanner, ITEM_LIMIT, LineCounter } from './batch-items.server';

/** The largest body with several readings, in bytes. */
export const BATCH_LIMIT = 8 * 1024 * 1024;
/** The most items of a JSON array. */
export const ARRAY_LIMIT = 10_000;

const OPEN_ARRAY = 0x5b;
/** The bytes of a byte order mark and of JSON's white space (RFC 8259, section 2). */
const BEFORE_JSON = [0xef, 0xbb, 0xbf, 0x20, 0x09, 0x0a, 0x0d];
const BYTE_ORDER_MARK = Buffer.from('\ufeff');
/** The first bytes of gzip (RFC 1952, section 2.3.1). */
const GZIP = Buffer.of(0x1f, 0x8b);
const OTHER_ORDER_MARKS = [Buffer.of(0xff, 0xfe), Buffer.of(0xfe, 0xff)];

type BodyRequest = Pick<ApiRequest, 'header' | 'address' | 'body'>;

/** Several readings, as bytes. */
export type BatchBody = { bytes: Buffer } & (
  | { format: 'array'; scanner: ArrayScanner }
  | { format: 'csv' | 'ndjson'; lines: number }
);

/** A body of valid UTF-8. */
type ReceivedBody = BatchBody | { bytes: Buffer; format: 'reading' };

type Received<Body = ReceivedBody> = { ok: true; body: Body } | ({ ok: false } & Refusal);

/** Reads the body of one note or one device's post into `memory`. Stops after 16 KiB, whatever `Content-Type` says. */
export async function receiveItem(
  request: BodyRequest,
  memory: BodyMemory,
): Promise<Received<{ bytes: Buffer }>> {
  let size = 0;
  let refusal: Received<never> | null = null;
  const isComplete = await request.body((part) => {
    size += part.length;
    if (size > ITEM_LIMIT) refusal = TOO_LARGE_ITEM;
    else if (!memory.append(part)) refusal = BUSY;
    return refusal === null;
  });
  if (refusal) return refusal;
  if (!isComplete) return BROKEN_OFF;
  const bytes = memory.complete();
  if (!bytes) return BUSY;
  return isUtf8(bytes) ? { ok: true, body: { bytes: withoutMark(bytes) } } : notUtf8(bytes);
}

/**
 * Reads the body of a post to `/api/data` into `memory`. Stops reading after 16 KiB of a single reading, 8 MiB of several
 * readings, or 10,000 items of an array.
 */
export async function receiveReadings(request: BodyRequest, memory: BodyMemory): Promise<Received> {
  if (memory.length > BATCH_LIMIT) return TOO_LARGE_BATCH;
  let format = formatOf(request.header('content-type'));
  let scanner: ArrayScanner | undefined;
  const lines = new LineCounter();
  let size = 0;
  let blanks = 0;

  /** Returns a refusal if this part makes the body too large. */
  function take(part: Uint8Array): Received | null {
    const before = size;
    size += part.length;
    if (size > BATCH_LIMIT) return TOO_LARGE_BATCH;
    if (format === undefined) {
      const first = part.findIndex((byte) => !BEFORE_JSON.includes(byte));
      blanks += first < 0 ? part.length : first;
      if (first >= 0) format = part[first] === OPEN_ARRAY ? 'array' : 'reading';
    }
    const isBatch = format !== undefined && format !== 'reading';
    if (!isBatch && size > ITEM_LIMIT) return TOO_LARGE_READING;
    if (!memory.append(part)) return BUSY;
    if (format === 'array') {
      scanner ??= new ArrayScanner(blanks);
      scanner.scan(part.subarray(Math.max(blanks - before, 0)));
      if (scanner.count > ARRAY_LIMIT) return TOO_MANY_ITEMS;
    } else if (isBatch) lines.scan(part);
    return null;
  }

  let refusal: Received | null = null;
  const isComplete = await request.body((part) => {
    refusal = take(part);
    return refusal === null;
  });
  if (refusal) return refusal;
  if (!isComplete) return BROKEN_OFF;
  const bytes = memory.complete();
  if (!bytes) return BUSY;
  if (!isUtf8(bytes)) return notUtf8(bytes);
  if (scanner) return { ok: true, body: { bytes, format: 'array', scanner } };
  const text = withoutMark(bytes);
  if (format === 'csv' || format === 'ndjson') {
    return { ok: true, body: { bytes: text, format, lines: lines.count } };
  }
  return { ok: true, body: { bytes: text, format: 'reading' } };
}

/** Returns the format that a `Content-Type` names; undefined for JSON, whose first byte decides. */
function formatOf(contentType: string | null): ReceivedBody['format'] | undefined {
  if (contentType === null) return undefined;
  const type = contentType.toLowerCase().split(';', 1).join().trim();
  if (type === 'text/csv') return 'csv';
  return /^application\/(x-)?(ndjson|jsonl)$/.test(type) ? 'ndjson' : undefined;
}

const startsWith = (bytes: Buffer, mark: Buffer) => mark.every((byte, i) => bytes[i] === byte);

const withoutMark = (bytes: Buffer) =>
  startsWith(bytes, BYTE_ORDER_MARK) ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;

function notUtf8(bytes: Buffer): Received<never> {
  if (startsWith(bytes, GZIP)) {
    const detail = 'The body is compressed with gzip. Send it as it is, without Content-Encoding.';
    return { ok: false, status: 400, detail };
  }
  const isUtf16 = OTHER_ORDER_MARKS.some((mark) => startsWith(bytes, mark));
  const found = isUtf16 ? 'The body is UTF-16, not UTF-8.' : 'The body is not UTF-8.';
  return { ok: false, status: 400, detail: `${found} Save it as UTF-8 and send it again.` };
}

const TOO_LARGE_ITEM: Received<never> = {
  ok: false,
  status: 413,
  detail: 'The body is over 16 KiB. This address takes one at a time.',
  closesConnection: true,
};

const TOO_LARGE_READING: Received<never> = {
  ok: false,
  status: 413,
  detail:
    'The body is over 16 KiB. Send one reading, or several as a JSON array, as text/csv or as application/x-ndjson.',
  closesConnection: true,
};

const TOO_LARGE_BATCH: Received<never> = {
  ok: false,
  status: 413,
  detail: 'The body is over 8 MiB. Send the readings in several posts.',
  closesConnection: true,
};

const TOO_MANY_ITEMS: Received<never> = {
  ok: false,
  status: 413,
  detail: `The array has more than ${ARRAY_LIMIT} items. Send the readings in several posts.`,
  closesConnection: true,
};

const BUSY: Received<never> = {
  ok: false,
  status: 503,
  detail:
    'The server is taking too many large posts at the moment. Try again in a few seconds, one post at a time.',
  headers: { 'Retry-After': '5' },
  closesConnection: true,
};

const BROKEN_OFF: Received<never> = {
  ok: false,
  status: 400,
  detail: 'The connection broke off before the end of the body.',
};

const MIB = 1024 * 1024;
/** The memory in bytes for the bodies of all unfinished batches. */
const TOTAL_LIMIT = 64 * MIB;
/** The share of one address: two batches of the largest size, so that one slow client can't lock out others. */
const ADDRESS_SHARE = 16 * MIB;
/** Smaller bodies aren't counted, because the limit on connections bounds them. */
const COUNTED_FROM = 16 * 1024;
/** A body that takes longer than this gives way to others. 8 MiB in this time needs 6.7 Mbit/s. */
const PATIENCE_MS = 10_000;

const EMPTY = Buffer.alloc(0);

const memory = singleton('body-memory', () => ({
  total: 0,
  addresses: new Map<string, number>(),
  /** The counted bodies that are still arriving, oldest first, with the times when counting began. */
  arriving: new Map<BodyMemory, number>(),
}));

/**
 * Collects a body in one buffer, which grows with the received bytes, not with the announced length: a client could
 * announce any length at no cost. A list of parts would take a hundred times the memory if a client sends each byte
 * alone.
 *
 * If the memory is used up, the body that has been arriving for longest gives way once it has had `PATIENCE_MS`. The
 * memory stays counted until `release` is called.
 */
export class BodyMemory {
  #buffer: Buffer = EMPTY;
  #size = 0;
  #counted = 0;
  #hasGivenWay = false;

  readonly #address: string;
  /** The announced length; 0 if unknown. */
  readonly length: number;

  constructor(request: BodyRequest) {
    this.#address = request.address();
    this.length = Number(request.header('content-length')) || 0;
  }

  /** Adds a part. Returns false and adds nothing if all bodies together would use too much memory. */
  append(part: Uint8Array): boolean {
    if (this.#hasGivenWay) return false;
    const size = this.#size + part.length;
    if (this.#size === 0) {
      // Most bodies have one part, which needn't be copied.
      if (!this.#count(size)) return false;
      this.#buffer = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    } else {
      if (size > this.#buffer.length && !this.#grow(size)) return false;
      this.#buffer.set(part, this.#size);
    }
    this.#size = size;
    return true;
  }

  /** Marks the body as complete, so that it no longer gives way. Returns its bytes, or null if it already gave way. */
  complete(): Buffer | null {
    memory.arriving.delete(this);
    return this.#hasGivenWay ? null : this.#buffer.subarray(0, this.#size);
  }

  release(): void {
    memory.arriving.delete(this);
    this.#buffer = EMPTY;
    this.#size = 0;
    if (this.#counted > 0) this.#hold(0);
  }

  /** Doubles the buffer, or enlarges it to the announced length if that is smaller. */
  #grow(size: number): boolean {
    const doubled = 2 * this.#buffer.length;
    const capacity = Math.max(size, this.length > 0 ? Math.min(doubled, this.length) : doubled);
    if (!this.#count(capacity)) return false;
    const buffer = Buffer.allocUnsafeSlow(capacity);
    buffer.set(this.#buffer.subarray(0, this.#size));
    this.#buffer = buffer;
    return true;
  }

  /**
   * Reserves `capacity` bytes for this body, making older bodies give way if needed. Returns false if that isn't
   * enough.
   */
  #count(capacity: number): boolean {
    if (capacity <= COUNTED_FROM) return true;
    const added = capacity - this.#counted;
    const isAddressFull = () => (memory.addresses.get(this.#address) ?? 0) + added > ADDRESS_SHARE;
    while (isAddressFull() || memory.total + added > TOTAL_LIMIT) {
      const address = isAddressFull() ? this.#address : null;
      const arriving = [...memory.arriving];
      const [oldest, since = 0] = arriving.find(([body]) => !address || body.#address === address) ?? [];
      if (!oldest || oldest === this || performance.now() - since < PATIENCE_MS) return false;
      oldest.#hasGivenWay = true;
      oldest.release();
    }
    this.#hold(capacity);
    if (!memory.arriving.has(this)) memory.arriving.set(this, performance.now());
    return true;
  }

  #hold(bytes: number): void {
    const held = (memory.addresses.get(this.#address) ?? 0) + bytes - this.#counted;
    memory.total += bytes - this.#counted;
    if (held > 0) memory.addresses.set(this.#address, held);
    else memory.addresses.delete(this.#address);
    this.#counted = bytes;
  }
}
