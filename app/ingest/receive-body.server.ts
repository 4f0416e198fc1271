/**
 * Receives the body of a post, within the memory that all bodies together may use.
 *
 * Where several readings are accepted, `Content-Type` says if a body is CSV or NDJSON. With any other type it is JSON,
 * because cheap boards leave the type out. JSON that begins with `[` is an array of readings.
 */
import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { singleton } from '../config/singleton.server';
import type { ApiRequest, Refusal } from '../http/answer';
import { ITEM_LIMIT } from './batch-items.server';
import type { LineRules } from './line-protocol.server';

/** The largest body with several readings, in bytes. */
export const BATCH_LIMIT = 2 * 1024 * 1024;

/** The beginning of an array, as text or as the bytes of UTF-8: a byte order mark, JSON's white space and a bracket. */
const ARRAY = /^(\xef\xbb\xbf)?[ \t\r\n]*\[/;
const BYTE_ORDER_MARK = '\ufeff';
/** The first bytes of gzip (RFC 1952, section 2.3.1). */
const GZIP = Buffer.of(0x1f, 0x8b);
const OTHER_ORDER_MARKS = [Buffer.of(0xff, 0xfe), Buffer.of(0xfe, 0xff)];

type BodyRequest = Pick<ApiRequest, 'header' | 'address' | 'body'>;

/** Several readings. */
export type BatchBody = { text: string } & (
  | { format: 'array' | 'csv' | 'ndjson' }
  | { format: 'lines'; rules: LineRules }
);

type Received<Body> = ({ ok: true } & Body) | ({ ok: false } & Refusal);
type Refused = { ok: false } & Refusal;

/** Reads the body of one note or one device's post into `memory`. Stops after 16 KiB, whatever `Content-Type` says. */
export function receiveItem(request: BodyRequest, memory: BodyMemory): Promise<Received<{ text: string }>> {
  return receive(request, memory, (part) => (memory.size + part.length > ITEM_LIMIT ? TOO_LARGE_ITEM : null));
}

/** Reads the body of a post to `/api/data` into `memory`. Stops after 16 KiB of a single reading, or 2 MiB of several. */
export async function receiveReadings(
  request: BodyRequest,
  memory: BodyMemory,
): Promise<Received<BatchBody | { text: string; format: 'reading' }>> {
  if (Number(request.header('content-length')) > BATCH_LIMIT) return TOO_LARGE_BATCH;
  const named = formatOf(request.header('content-type'));
  let isBatch = named !== undefined;
  const received = await receive(request, memory, (part) => {
    const size = memory.size + part.length;
    if (size > BATCH_LIMIT) return TOO_LARGE_BATCH;
    if (size <= ITEM_LIMIT || isBatch) return null;
    isBatch = ARRAY.test(Buffer.concat([memory.bytes, part]).toString('latin1'));
    return isBatch ? null : TOO_LARGE_READING;
  });
  if (!received.ok) return received;
  return { ...received, format: named ?? (ARRAY.test(received.text) ? 'array' : 'reading') };
}

/** Reads the body of InfluxDB's line protocol into `memory`. Stops after 2 MiB, also of what gzip contains. */
export async function receiveLines(
  request: BodyRequest,
  memory: BodyMemory,
): Promise<Received<{ text: string }>> {
  return receive(
    request,
    memory,
    (part) => (memory.size + part.length > BATCH_LIMIT ? TOO_LARGE_BATCH : null),
    unzipped,
  );
}

/** Unpacks gzip, which Telegraf sends by default. */
async function unzipped(bytes: Buffer, memory: BodyMemory): Promise<Buffer | Refused> {
  if (!startsWith(bytes, GZIP)) return bytes;
  try {
    const unpacked = await promisify(gunzip)(bytes, { maxOutputLength: BATCH_LIMIT });
    return memory.append(unpacked) ? unpacked : BUSY;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? TOO_LARGE_BATCH : BROKEN_GZIP;
  }
}

const BROKEN_GZIP: Refused = { ok: false, status: 400, detail: 'The body is broken gzip. Send it again.' };

/** Reads a body of UTF-8 into `memory`, as long as `refuse` returns null for each part. */
async function receive(
  request: BodyRequest,
  memory: BodyMemory,
  refuse: (part: Uint8Array) => Refused | null,
  unpack: (bytes: Buffer, memory: BodyMemory) => Buffer | Promise<Buffer | Refused> = (bytes) => bytes,
): Promise<Received<{ text: string }>> {
  let refusal: Refused | null = null;
  const isComplete = await request.body((part) => {
    refusal = refuse(part) ?? (memory.append(part) ? null : BUSY);
    return refusal === null;
  });
  if (refusal) return refusal;
  if (!isComplete) return BROKEN_OFF;
  const complete = memory.complete();
  if (!complete) return BUSY;
  const bytes = await unpack(complete, memory);
  if (!Buffer.isBuffer(bytes)) return bytes;
  if (!isUtf8(bytes)) return notUtf8(bytes);
  const text = bytes.toString();
  return { ok: true, text: text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text };
}

/** Returns the format that a `Content-Type` names; undefined for JSON, whose first character decides. */
function formatOf(contentType: string | null): 'csv' | 'ndjson' | undefined {
  if (contentType === null) return undefined;
  const type = contentType.toLowerCase().split(';', 1).join().trim();
  if (type === 'text/csv') return 'csv';
  return /^application\/(x-)?(ndjson|jsonl)$/.test(type) ? 'ndjson' : undefined;
}

const startsWith = (bytes: Buffer, mark: Buffer) => mark.every((byte, i) => bytes[i] === byte);

function notUtf8(bytes: Buffer): Refused {
  if (startsWith(bytes, GZIP)) {
    const detail = 'The body is compressed with gzip. Send it as it is, without Content-Encoding.';
    return { ok: false, status: 400, detail };
  }
  const isUtf16 = OTHER_ORDER_MARKS.some((mark) => startsWith(bytes, mark));
  const found = isUtf16 ? 'The body is UTF-16, not UTF-8.' : 'The body is not UTF-8.';
  return { ok: false, status: 400, detail: `${found} Save it as UTF-8 and send it again.` };
}

const TOO_LARGE_ITEM: Refused = {
  ok: false,
  status: 413,
  detail: 'The body is over 16 KiB. This address takes one at a time.',
  closesConnection: true,
};

const TOO_LARGE_READING: Refused = {
  ok: false,
  status: 413,
  detail:
    'The body is over 16 KiB. Send one reading, or several as a JSON array, as text/csv or as application/x-ndjson.',
  closesConnection: true,
};

const TOO_LARGE_BATCH: Refused = {
  ok: false,
  status: 413,
  detail:
    'The body is over 2 MiB. Send the readings in batches of up to 10,000, or import the file with "airboard import".',
  closesConnection: true,
};

const BUSY: Refused = {
  ok: false,
  status: 503,
  detail:
    'The server is taking too many large posts at the moment. Try again in a few seconds, one post at a time.',
  headers: { 'Retry-After': '5' },
  closesConnection: true,
};

const BROKEN_OFF: Refused = {
  ok: false,
  status: 400,
  detail: 'The connection broke off before the end of the body.',
};

const MIB = 1024 * 1024;
/** The memory in bytes for the bodies of all unfinished batches. */
const TOTAL_LIMIT = 32 * MIB;
/** The share of one address: four batches of the largest size, so that one slow client can't lock out others. */
const ADDRESS_SHARE = 8 * MIB;
/** Smaller bodies aren't counted, because the limit on connections bounds them. */
const COUNTED_FROM = 16 * 1024;
/** A body that takes longer than this gives way to others. 2 MiB in this time needs 1.7 Mbit/s. */
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
  /** The number of received bytes. */
  size = 0;
  #buffer: Buffer = EMPTY;
  #counted = 0;
  #hasGivenWay = false;
  readonly #address: string;

  constructor(request: Pick<BodyRequest, 'address'>) {
    this.#address = request.address();
  }

  /** The received bytes. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.size);
  }

  /** Adds a part. Returns false and adds nothing if all bodies together would use too much memory. */
  append(part: Uint8Array): boolean {
    if (this.#hasGivenWay) return false;
    const size = this.size + part.length;
    if (this.size === 0) {
      // Most bodies have one part, which needn't be copied.
      if (!this.#count(size)) return false;
      this.#buffer = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    } else {
      if (size > this.#buffer.length && !this.#grow(size)) return false;
      this.#buffer.set(part, this.size);
    }
    this.size = size;
    return true;
  }

  /** Marks the body as complete, so that it no longer gives way. Returns its bytes, or null if it already gave way. */
  complete(): Buffer | null {
    memory.arriving.delete(this);
    const { bytes } = this;
    this.#buffer = EMPTY;
    return this.#hasGivenWay ? null : bytes;
  }

  release(): void {
    memory.arriving.delete(this);
    this.#buffer = EMPTY;
    if (this.#counted > 0) this.#hold(0);
  }

  /** Doubles the buffer, up to the size of the largest body. */
  #grow(size: number): boolean {
    const capacity = Math.max(size, Math.min(2 * size, BATCH_LIMIT));
    if (!this.#count(capacity)) return false;
    const buffer = Buffer.allocUnsafeSlow(capacity);
    buffer.set(this.bytes);
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
