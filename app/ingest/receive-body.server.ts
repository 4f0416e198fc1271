import { isUtf8 } from 'node:buffer';
import { ArrayScanner } from './array-scanner.server';
import { ITEM_LIMIT } from './batch-item';
import { BodyMemory } from './body-memory.server';
import { LineCounter } from './line-counter.server';
import type { WriteRefusal } from './write-refusal';

/** The largest body with several readings, in bytes. */
export const BATCH_LIMIT = 8 * 1024 * 1024;
/** The most items of a JSON array. */
export const ARRAY_LIMIT = 10_000;

const OPEN_ARRAY = 0x5b;
/** The bytes of a byte order mark, and JSON's spaces (RFC 8259, section 2). */
const BEFORE_JSON = new Set([0xef, 0xbb, 0xbf, 0x20, 0x09, 0x0a, 0x0d]);
const BYTE_ORDER_MARK = Buffer.from('\ufeff');
/** The first bytes of gzip (RFC 1952, section 2.3.1). */
const GZIP = Buffer.of(0x1f, 0x8b);
const OTHER_ORDER_MARKS = [Buffer.of(0xff, 0xfe), Buffer.of(0xfe, 0xff)];

/** The parts of a request that its body is read with. */
interface BodyRequest {
  header(name: string): string | null;
  /** Returns the client's address. */
  address(): string;
  body(): AsyncIterable<Uint8Array>;
}

/** Several readings, as bytes. */
export type BatchBody = { bytes: Buffer } & (
  | { format: 'array'; scanner: ArrayScanner }
  | { format: 'csv' | 'ndjson'; lines: number }
);

/** A body of valid UTF-8. */
export type ReceivedBody = BatchBody | { bytes: Buffer; format: 'reading' };

export type Received = { ok: true; body: ReceivedBody } | ({ ok: false } & WriteRefusal);

/**
 * Reads a body as it arrives and passes it to `use`, until whose end its memory stays counted. `Content-Type` says
 * whether a body is CSV or NDJSON. Any other is JSON, whatever it says: cheap boards leave it off. JSON that begins with
 * `[` is an array of readings.
 *
 * Stops reading after 16 KiB of a single reading, after 8 MiB of several, and after 10,000 items of an array.
 */
export async function receiveBody<Result>(
  request: BodyRequest,
  use: (received: Received) => Promise<Result>,
): Promise<Result> {
  const length = Number(request.header('Content-Length')) || 0;
  const memory = new BodyMemory(request.address(), length);
  try {
    return await use(length > BATCH_LIMIT ? TOO_LARGE_BATCH : await receive(request, memory));
  } finally {
    memory.release();
  }
}

async function receive(request: BodyRequest, memory: BodyMemory): Promise<Received> {
  let format = formatOf(request.header('Content-Type'));
  let scanner: ArrayScanner | undefined;
  const lines = new LineCounter();
  let size = 0;
  let blanks = 0;
  try {
    for await (const part of request.body()) {
      const before = size;
      size += part.length;
      if (size > BATCH_LIMIT) return TOO_LARGE_BATCH;
      if (format === undefined) {
        const first = part.findIndex((byte) => !BEFORE_JSON.has(byte));
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
    }
  } catch {
    return BROKEN_OFF;
  }
  const bytes = memory.complete();
  if (!bytes) return BUSY;
  if (!isUtf8(bytes)) return notUtf8(bytes);
  if (scanner) return { ok: true, body: { bytes, format: 'array', scanner } };
  const text = startsWith(bytes, BYTE_ORDER_MARK) ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
  if (format === 'csv' || format === 'ndjson') {
    return { ok: true, body: { bytes: text, format, lines: lines.count } };
  }
  return { ok: true, body: { bytes: text, format: 'reading' } };
}

/** Returns the format that a `Content-Type` names; undefined for JSON, of which the body shows more. */
function formatOf(contentType: string | null): ReceivedBody['format'] | undefined {
  const [type = ''] = (contentType ?? '').toLowerCase().split(';');
  if (type.trim() === 'text/csv') return 'csv';
  return /^application\/(x-)?(ndjson|jsonl)$/.test(type.trim()) ? 'ndjson' : undefined;
}

const startsWith = (bytes: Buffer, mark: Buffer) => bytes.subarray(0, mark.length).equals(mark);

function notUtf8(bytes: Buffer): Received {
  if (startsWith(bytes, GZIP)) {
    const detail = 'The body is compressed with gzip. Send it as it is, without Content-Encoding.';
    return { ok: false, status: 400, detail };
  }
  const isUtf16 = OTHER_ORDER_MARKS.some((mark) => startsWith(bytes, mark));
  const found = isUtf16 ? 'The body is UTF-16, not UTF-8.' : 'The body is not UTF-8.';
  return { ok: false, status: 400, detail: `${found} Save it as UTF-8 and send it again.` };
}

const TOO_LARGE_READING: Received = {
  ok: false,
  status: 413,
  detail:
    'The body is over 16 KiB. Send one reading, or several as a JSON array, as text/csv or as application/x-ndjson.',
  closesConnection: true,
};

const TOO_LARGE_BATCH: Received = {
  ok: false,
  status: 413,
  detail: 'The body is over 8 MiB. Send the readings in several posts.',
  closesConnection: true,
};

const TOO_MANY_ITEMS: Received = {
  ok: false,
  status: 413,
  detail: `The array has more than ${ARRAY_LIMIT} items. Send the readings in several posts.`,
  closesConnection: true,
};

const BUSY: Received = {
  ok: false,
  status: 503,
  detail:
    'The server is taking too many large posts at the moment. Try again in a few seconds, one post at a time.',
  headers: { 'Retry-After': '5' },
  closesConnection: true,
};

const BROKEN_OFF: Received = {
  ok: false,
  status: 400,
  detail: 'The connection broke off before the end of the body.',
};
