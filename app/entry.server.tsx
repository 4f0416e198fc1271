import { randomBytes } from 'node:crypto';
import { Transform } from 'node:stream';
import { createReadableStreamFromReadable, type EntryContext } from '@remix-run/node';
import { isRouteErrorResponse, RemixServer } from '@remix-run/react';
import { renderToPipeableStream } from 'react-dom/server';
import { belowBase } from './base-path';
import { boot } from './boot.server';
import { eventLoopTurns } from './config/event-loop-turns.server';
import { BUILD_ID } from './config/version.server';
import { passedOnClient } from './http/guard/client.server';
import { logError } from './http/guard/refusal-log.server';
import { documentHeaders } from './http/guard/security-headers.server';
import { feedOrigins, feedSettings } from './live/server/feed-settings.server';
import { NonceContext } from './ui/page-contexts';

await boot();

const RENDER_TIMEOUT_MS = 5000;

/** Without it, React renders all pages that arrive together in the same event-loop turn. */
const nextTurn = eventLoopTurns();

/** Renders a document. No page defers data, so the shell is complete. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
): Promise<Response> {
  await nextTurn();
  if (passedOnClient(request).signal.aborted) return new Response(null, { status: 503 });
  return new Promise((resolve, reject) => {
    const nonce = randomBytes(16).toString('base64');
    const scripts = sharedScripts(remixContext);
    const document = (
      <NonceContext.Provider value={nonce}>
        <RemixServer context={remixContext} url={request.url} nonce={nonce} />
      </NonceContext.Provider>
    );
    const { pipe, abort } = renderToPipeableStream(document, {
      nonce,
      onShellReady() {
        headers.set('Content-Type', 'text/html; charset=utf-8');
        // Without revalidation, a browser would show an old copy. `no-store` would also keep the page out of the
        // back/forward cache. If the page is no longer in that cache, going back shows a stored copy of any age, unless
        // `Vary: *` says that it fits no request.
        headers.set('Cache-Control', 'private, no-cache');
        headers.set('Vary', '*');
        headers.set('Airboard-Build', BUILD_ID);
        if (scripts.length > 0) headers.set('Link', scripts.map(preload).join(', '));
        const security = documentHeaders(
          belowBase(new URL(request.url).pathname),
          nonce,
          feedOrigins(feedSettings()),
        );
        for (const [name, value] of Object.entries(security)) headers.set(name, value);
        const body = dropNuls();
        const errors = Object.values(remixContext.staticHandlerContext.errors ?? {});
        // For the request guard's log.
        const statusText = errors.find(isRouteErrorResponse)?.statusText;
        resolve(new Response(createReadableStreamFromReadable(body), { status, statusText, headers }));
        pipe(body);
        // A pending timer would retain the rendered page.
        body.once('close', () => clearTimeout(timeout));
      },
      onShellError: reject,
      onError(error) {
        if (!passedOnClient(request).signal.aborted) logError(error);
      },
    });
    const timeout = setTimeout(abort, RENDER_TIMEOUT_MS).unref();
  });
}

/**
 * Drops NUL bytes. Where a character of several bytes doesn't fit into the rest of its 2,048 bytes, React 18 fills them
 * with NULs. A page has no others: HTML doesn't allow them, and the page's data is JSON, which escapes them.
 */
function dropNuls(): Transform {
  return new Transform({
    transform(bytes: Buffer, _encoding, done) {
      done(null, bytes.includes(0) ? bytes.filter((byte) => byte !== 0) : bytes);
    },
  });
}

/** The scripts that the page's entry and routes import. */
function sharedScripts({ manifest, staticHandlerContext }: EntryContext): string[] {
  const routes = staticHandlerContext.matches.map(({ route }) => manifest.routes[route.id]);
  return [...new Set([manifest.entry, ...routes].flatMap((part) => part?.imports ?? []))];
}

/**
 * Preloads a script at low priority. Otherwise scripts would delay the styles, and so the first paint, on a slow line.
 */
function preload(script: string): string {
  return `<${script}>; rel=modulepreload; fetchpriority=low`;
}

/** Logs unexpected errors of loaders and actions, but no 404s and no requests that the client aborted. */
export function handleError(error: unknown, { request }: { request: Request }): void {
  const isExpected = isRouteErrorResponse(error) && error.status < 500;
  if (!isExpected && !passedOnClient(request).signal.aborted) logError(error);
}
