import { keyForm } from '../access/key-form.server';
import { atBase } from '../base-path';
import type { ApiHandler } from '../http/answer';
import { readCookie, refuseReadKey } from '../http/guard/read-access.server';
import { JSON_HEADERS } from '../http/json-response.server';
import { problem } from '../http/problem.server';
import { refuseParameters } from '../http/query.server';
import { BodyMemory, receiveItem } from '../ingest/receive-body.server';
import { refuseOtherSite } from '../ingest/write-access.server';

/** POST /read-key: takes the form with the `READ_KEY`, or makes this browser forget it, and returns to a page. */
export const action: ApiHandler = async (request) => {
  const wrongAddress = refuseParameters(request);
  if (wrongAddress) return wrongAddress;
  const otherSite = refuseOtherSite(request.header);
  if (otherSite) return problem(otherSite);
  const memory = new BodyMemory(request);
  try {
    const received = await receiveItem(request, memory);
    if (!received.ok) return problem(received);
    const form = new URLSearchParams(received.text);
    const to = ownAddress(form.get('to') ?? '');
    const isForgotten = form.get('forget') === 'true';
    const refusal = isForgotten ? null : refuseReadKey((form.get('key') ?? '').trim(), request.address());
    if (refusal) return keyForm(request, to, refusal, reasonOf(refusal.status));
    return returnTo(to, readCookie(request, isForgotten));
  } finally {
    memory.release();
  }
};

const reasonOf = (status: number) =>
  status === 429
    ? 'That isn’t the read key, and others from this address were wrong. Wait a minute before you try another one.'
    : 'That isn’t the read key.';

function returnTo(to: string, cookie: string) {
  const { 'Content-Type': _, ...headers } = JSON_HEADERS;
  return { status: 303, headers: { ...headers, Location: to, 'Set-Cookie': cookie }, body: null };
}

/** Returns the address if it is one of this server, else that of the dashboard. */
function ownAddress(to: string): string {
  const base = 'http://airboard';
  const url = URL.canParse(to, base) ? new URL(to, base) : null;
  // `/.//evil.example` has this origin, and its path alone would be the address of another one.
  const isOwn = to.startsWith('/') && url?.origin === base && !url.pathname.startsWith('//');
  return isOwn ? url.pathname + url.search : atBase('/');
}
