import { inspect } from 'node:util';
import { singleton } from '../../config/singleton.server';
import { countRefusal } from '../../metrics/counts.server';

/** The most lines and errors per second, so that a flood of requests doesn't fill the disk. */
const LINES_PER_SECOND = 10;
const TEXT_LIMIT = 200;
/** The most characters of an error with its stack. */
const ERROR_LIMIT = 2000;

/** A refused request or a broker's message. The method and address are missing if Node couldn't parse the request. */
export interface RefusedRequest {
  method?: string;
  url?: string;
}

const log = singleton('refusal-log', () => ({ lines: 0, leftOut: 0 }));

/** Logs a refused request, and counts it if its status is an error: some rejected readings are answered with 200. */
export function logRefusal(request: RefusedRequest, status: number, detail?: string): void {
  if (status >= 400) countRefusal(status);
  logRefused(request, status, detail);
}

/** Logs one line: time, method, address, status and reason. */
export function logRefused({ method = '-', url = '-' }: RefusedRequest, status: number, detail = ''): void {
  if (hasRoom())
    print(`${method} ${printable(withoutKeys(url.slice(0, 2048)))} ${status} ${printable(detail)}`);
}

/** Logs an unexpected error of a request or a source. Shares the limit of refused requests. */
export function logError(error: unknown): void {
  if (!hasRoom()) return;
  const text = withoutKeys(inspect(error).slice(0, 2 * ERROR_LIMIT));
  console.error(text.length > ERROR_LIMIT ? `${text.slice(0, ERROR_LIMIT)}…` : text);
}

/** Counts a line, and returns false if this second has had enough. */
function hasRoom(): boolean {
  if (log.lines === 0) setTimeout(startSecond, 1000).unref();
  log.lines += 1;
  if (log.lines <= LINES_PER_SECOND) return true;
  log.leftOut += 1;
  return false;
}

function startSecond(): void {
  if (log.leftOut > 0) print(`… and ${log.leftOut} more refused requests or errors within a second`);
  log.lines = 0;
  log.leftOut = 0;
}

function print(line: string): void {
  console.log(`[airboard] ${new Date().toISOString()} ${line.trimEnd()}`);
}

/** Matches a parameter of an address: what precedes it, its name and its value. */
const PARAMETER = /([?&])([^?&=\s]*)=([^&\s]*)/g;

/** Matches the names of parameters that may be keys: `key`, `write_key`, and `p`, the password of InfluxDB 1. */
const KEY_NAME = /key|token|secret|pass|pwd|auth|^pw?$/i;

/** Matches the user and password of an address in absolute form: `http://me:secret@board/`. */
const CREDENTIALS = /(?<=:\/\/)[^/?\s]*@/g;

/** Replaces the keys that a client sends in the address. */
const withoutKeys = (text: string) => withoutKeyValues(text.replace(CREDENTIALS, '***@'));

function withoutKeyValues(text: string): string {
  return text.replace(PARAMETER, (_, before: string, name: string, value: string) => {
    // Decoded as for the handlers, which take `%70` for `p`.
    const [decoded = ''] = new URLSearchParams(`${name}=`).keys();
    return `${before}${name}=${KEY_NAME.test(decoded) ? '***' : withoutKeyValues(value)}`;
  });
}

/**
 * Shortens a text and replaces control characters, which could control a terminal: Node lets bytes above ASCII through.
 */
function printable(text: string): string {
  const cut = text.length > TEXT_LIMIT ? `${text.slice(0, TEXT_LIMIT)}…` : text;
  return cut.replace(/\p{Cc}/gu, '?');
}
