import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import Database from 'libsql';
import { expect, test } from 'vitest';
import {
  bytesOf,
  type HostileRequest,
  hostileRequests,
  isNothing,
  MARKUP,
  membersSent,
} from '../support/hostile/hostile-requests';
import { checkProblem } from '../support/server/api';
import { type Answer, RawClient } from '../support/server/raw-client';
import { startServer } from '../support/server/server';
import { LONG, report, SEED, size } from '../support/size';

const REQUESTS = size(100_000, 800);
const LANES = 8;

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

const isDecimal = (sent: unknown) =>
  typeof sent === 'string' && sent.length <= 400 && DECIMAL.test(sent.trim());

type Values = (number | null)[];

/** The metrics in hostile requests, CO2 and VOC first. */
const FIELDS = ['co2', 'voc', 'pm10', 'temperature'];

/** The generated words that aren't JSON, as values of members. */
const BARE = /(?<=":)(NaN|Infinity)(?=[,}])/g;

/** Parses a post independently of the product's code. Returns the values of `FIELDS`, or null if it is invalid. */
function readingIn({ target, body }: HostileRequest): Values | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body ?? undefined);
    const json = JSON.parse(text.replace(BARE, '"$&"'));
    if ((body?.byteLength ?? 0) > 16 * 1024 || Array.isArray(json)) return null;
    const value = membersSent(target, json);
    if (value === null) return null;
    const sent = (name: string) => (Object.hasOwn(value, name) ? value[name] : undefined);
    if (Object.keys(value).some(isMisspelt)) return null;
    const values = FIELDS.map((name) => (isNothing(sent(name) ?? null) ? null : decimalOf(sent(name))));
    const isTimed = isTime(sent('created_at') ?? null) && isName(sent('sensor') ?? null);
    const isValid = values.every((value) => value === null || Number.isFinite(value));
    return isTimed && isValid && values.some((value) => value !== null) ? values : null;
  } catch {
    return null;
  }
}

/** The generated misspelt names are `CO2` and `co2 `. */
const isMisspelt = (name: string) => !FIELDS.includes(name) && FIELDS.includes(name.trim().toLowerCase());

function decimalOf(sent: unknown): number {
  if (typeof sent === 'number') return sent;
  return isDecimal(sent) ? Number(sent) : Number.NaN;
}

const isName = (sent: unknown) =>
  sent === null || (typeof sent === 'string' && sent.length <= 64 && /^\P{Cc}+$/u.test(sent.trim()));

/**
 * Returns true for no time, a time in ISO 8601, or seconds or milliseconds from 2000 to now. No other is
 * generated.
 */
function isTime(sent: unknown): boolean {
  if (sent === null) return true;
  if (typeof sent === 'string' && /^20\d\d-.*Z$/.test(sent)) return Date.parse(sent) <= Date.now();
  if (typeof sent !== 'number' && !/^\s*\d+(\.\d*)?\s*$/.test(String(sent))) return false;
  const ms = Number(sent) >= 1e11 ? Number(sent) : Number(sent) * 1000;
  return Date.UTC(2000) <= ms && ms <= Date.now() + 60_000;
}

const withoutMinusZero = (values: Values) => values.map((value) => (value === null ? null : value + 0));

/** Returns whether errors for this target are problems rather than pages. */
const isApi = (target: string) => /^\/(api|healthz)([/?]|$)/.test(target);

/** Returns whether the headers alone can cause a rejection: another site's origin, or an unknown `Expect`. */
function isRejectedByHeaders({ headers }: HostileRequest): boolean {
  return headers.some(([name]) =>
    ['origin', 'sec-fetch-site', 'expect', 'x-forwarded-host'].includes(name.toLowerCase()),
  );
}

/** Returns the decompressed text of a body. */
function textOf({ headers, body }: Answer): string {
  const bytes = Buffer.from(body, 'latin1');
  const [, encoding] = /^content-encoding: (\w+)/im.exec(headers) ?? [];
  if (encoding === 'gzip') return gunzipSync(bytes).toString();
  if (encoding === 'br') return brotliDecompressSync(bytes).toString();
  return (encoding === 'deflate' ? inflateSync(bytes) : bytes).toString();
}

function checkAnswer(request: HostileRequest, answer: Answer | null): void {
  if (!answer) throw new Error('the connection was closed without an answer');
  const { status, headers } = answer;
  const text = request.method === 'HEAD' || status === 304 ? '' : textOf(answer);
  expect(status).toBeLessThan(500);
  if (/^content-type: text\/html/im.test(headers)) {
    for (const markup of MARKUP) expect(text).not.toContain(markup);
  }
  if (status >= 400 && isApi(request.target)) {
    expect(headers).toMatch(/^content-type: application\/problem\+json$/im);
    if (request.method !== 'HEAD') checkProblem(JSON.parse(text), status);
  }
  if (request.body && !isRejectedByHeaders(request)) {
    expect(status === 201, `answered ${status}`).toBe(readingIn(request) !== null);
    // Enviro repeats a request that fails, and sends nothing else.
    const isRepeated = request.target.startsWith('/api/enviro');
    if (isRepeated && status !== 201 && status !== 413) {
      expect([status, JSON.parse(text)]).toEqual([200, expect.objectContaining({ stored: 0, refused: 1 })]);
    }
  }
}

test(
  'answers hostile requests without a 5xx, stores only valid readings, and explains each rejection',
  LONG,
  async () => {
    const server = await startServer({ env: { POSTS_PER_MINUTE: '0' } });
    const stored = new Map<number, Values>();
    const statuses: Record<number, number> = {};

    const fuzz = async (lane: number) => {
      const client = new RawClient(server.port);
      const property = fc.asyncProperty(hostileRequests, async (request) => {
        const answer = await client.send(bytesOf(request), request.method === 'HEAD');
        checkAnswer(request, answer);
        const { status } = answer as Answer;
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (status === 201) stored.set(JSON.parse(textOf(answer as Answer)).id, readingIn(request) as Values);
      });
      await fc.assert(property, { seed: SEED + lane, numRuns: REQUESTS / LANES });
      client.close();
    };
    await Promise.all(Array.from({ length: LANES }, (_, lane) => fuzz(lane)));

    report(
      `${REQUESTS} hostile requests: ${Object.entries(statuses)
        .map(([status, count]) => `${count} × ${status}`)
        .join(', ')}`,
    );
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
    const database = new Database(server.databasePath, { readonly: true });
    const rows = database.prepare('select * from data').all() as Record<string, number | null>[];
    database.close();
    const valuesOf = (row: Record<string, number | null>) => FIELDS.map((name) => row[name] ?? null);
    expect(new Map(rows.map((row) => [row.id, withoutMinusZero(valuesOf(row))]))).toEqual(
      new Map([...stored].map(([id, values]) => [id, withoutMinusZero(values)])),
    );
    // The server printed only its request log, no stack traces or warnings.
    expect(
      server
        .output()
        .split('\n')
        .filter((line) => line !== '' && !/^(\[|[A-Z-]+ )/.test(line)),
    ).toEqual([]);
  },
);
