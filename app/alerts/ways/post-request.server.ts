import type { SendOutcome } from '../alert-event';
import { answerText, basicCredentials } from './answer-text.server';
import type { OutgoingRequest } from './outgoing-request';
import { retryAfterSeconds } from './retry-after';
import { failureText, withTimeLimit } from './time-limit';

/** The most bytes of an answer that are read. */
const ANSWER_LIMIT = 4096;

/**
 * Sends a request once. It follows no redirect, which could lead to another receiver, or repeat the POST as a GET. Never
 * rejects.
 *
 * @param secrets what the outcome's text must not show
 */
export async function postRequest(
  request: OutgoingRequest,
  secrets: string[],
  signal: AbortSignal,
): Promise<SendOutcome> {
  try {
    return await withTimeLimit(signal, async (limit) => {
      const response = await fetchAnswer(request, limit);
      return outcomeOf(response, answerText(await beginningOf(response), secrets));
    });
  } catch (error) {
    return { isDelivered: false, text: answerText(failureText(error), secrets) };
  }
}

function fetchAnswer({ url, body, headers }: OutgoingRequest, signal: AbortSignal): Promise<Response> {
  const target = new URL(url);
  const credentials = basicCredentials(url);
  // `fetch` refuses an address with a user.
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

function outcomeOf({ status, ok, headers }: Response, beginning: string): SendOutcome {
  const text = [`HTTP ${status}`, beginning].filter(Boolean).join(': ');
  if (ok) return { isDelivered: true, text };
  if (status === 410) return { isDelivered: false, isGone: true, text };
  if (status >= 300 && status < 400)
    return { isDelivered: false, text: `HTTP ${status}: redirects aren't followed` };
  const seconds = retryAfterSeconds(headers.get('Retry-After'), Date.now());
  return { isDelivered: false, text, ...(seconds !== null && { retryAfterSeconds: seconds }) };
}

/** Returns the beginning of the body. What follows isn't read, and a body that breaks off changes nothing. */
async function beginningOf({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (let size = 0; reader && size < ANSWER_LIMIT; ) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value.subarray(0, ANSWER_LIMIT - size), { stream: true });
      size += value.byteLength;
    }
    await reader?.cancel();
  } catch {}
  return text;
}
