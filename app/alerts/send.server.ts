import { percentDecode } from '../config/notify-address.server';
import { timeLimit } from '../config/time-limit.server.js';
import type { OutgoingRequest, SendOutcome } from '../providers/alert-event';
import type { Provider } from '../providers/provider';

/** The time limit of an attempt, including the response. */
export const SEND_LIMIT_MS = 10_000;
const ANSWER_BYTES = 4096;
const ANSWER_CHARACTERS = 200;
/** Shorter parts of an address, such as `api`, aren't secret and occur in other words. */
const SHORTEST_SECRET = 4;

interface Receiver {
  provider: Provider;
  url: URL;
  /** Parts of the URL that are hidden in the outcome's text. */
  secrets: string[];
}

/** The receiver's URL from now on, and why. */
interface Moved {
  text: string;
  movedTo: URL;
}

/**
 * Sends a request once; never rejects. Follows no redirects, which could lead to another receiver or turn the POST into
 * a GET.
 */
export async function postRequest(
  request: OutgoingRequest,
  receiver: Receiver,
  signal: AbortSignal,
): Promise<SendOutcome | Moved> {
  const { secrets } = receiver;
  try {
    const response = await fetchAnswer(request, timeLimit(SEND_LIMIT_MS, signal));
    return outcomeOf(response, await beginningOf(response), receiver);
  } catch (error) {
    return { isDelivered: false, text: answerText(failureText(error), secrets) };
  }
}

function fetchAnswer({ url, body, headers }: OutgoingRequest, signal: AbortSignal): Promise<Response> {
  const target = new URL(url);
  const credentials = basicCredentials(url);
  // `fetch` rejects a URL with a user or password.
  target.username = target.password = '';
  return fetch(target, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'airboard',
      ...(credentials && { Authorization: `Basic ${credentials}` }),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    signal,
  });
}

/** Returns the beginning of the body. If the body is cut off, returns the part that arrived. */
async function beginningOf({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (let size = 0; reader && size < ANSWER_BYTES; ) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value.subarray(0, ANSWER_BYTES - size), { stream: true });
      size += value.byteLength;
    }
    await reader?.cancel();
  } catch {}
  return text;
}

function outcomeOf(
  { status, ok, headers }: Response,
  body: string,
  { provider, url, secrets }: Receiver,
): SendOutcome | Moved {
  const read = provider.read?.({ status, headers, body }, url) ?? null;
  const text = [`HTTP ${status}`, answerText(read?.note || body, secrets)].filter(Boolean).join(': ');
  if (read && 'movedTo' in read) return { text, movedTo: read.movedTo };
  if (ok && !read) return { isDelivered: true, text };
  if (status === 410 || (read && 'isPermanent' in read))
    return { isDelivered: false, isPermanent: true, text };
  if (status >= 300 && status < 400)
    return { isDelivered: false, text: `HTTP ${status}: redirects aren't followed` };
  const seconds =
    (read && 'retryAfterSeconds' in read && read.retryAfterSeconds) ||
    retryAfterSeconds(headers.get('Retry-After'), Date.now());
  return { isDelivered: false, text, ...(seconds !== null && { retryAfterSeconds: seconds }) };
}

/**
 * Returns the seconds in a `Retry-After` header, which is a number or a date; null without one. Discord sends
 * fractions.
 */
function retryAfterSeconds(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  // `Date.parse` accepts nearly anything, but an HTTP date begins with a weekday.
  const time = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : Math.max(0, Math.ceil((time - now) / 1000));
}

/** Returns the reason for a failure. An error from `fetch` has the reason in its `cause`. */
export function failureText(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: Error & { code?: string } };
  if ([name, cause?.name].includes('TimeoutError')) return `no answer within ${SEND_LIMIT_MS / 1000} s`;
  if (name === 'AbortError') return 'the server stopped';
  // A host with several addresses fails with an `AggregateError`, which has a code and no message.
  return cause?.message || cause?.code || message;
}

/** Returns an answer as one line without secrets and control characters. */
export function answerText(answer: string, secrets: string[]): string {
  const hidden = secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    // Longer secrets first: replacing a short secret inside a longer one would leave the rest visible.
    .sort((a, b) => b.length - a.length)
    .reduce((text, secret) => text.replaceAll(secret, '…'), answer);
  const line = hidden.replace(/[\s\p{C}]+/gu, ' ').trim();
  return line.length > ANSWER_CHARACTERS ? `${line.slice(0, ANSWER_CHARACTERS)}…` : line;
}

/** The parts of an address that could be secret, as written and decoded. */
export function secretsOf({ username, password, pathname, searchParams, search }: URL): string[] {
  const basic = basicCredentials({ username, password });
  const parts = [username, password, ...pathname.split('/'), ...search.slice(1).split(/[&=]/)];
  return [...parts, ...parts.map(percentDecode), ...searchParams.values(), ...(basic ? [basic] : [])];
}

/** Returns the credentials in Base64, without the word `Basic`; null without a user and password. */
function basicCredentials({ username, password }: Pick<URL, 'username' | 'password'>): string | null {
  if (!username && !password) return null;
  return Buffer.from(`${percentDecode(username)}:${percentDecode(password)}`).toString('base64');
}
