import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { build } from 'vite';
import type { LiveFeed } from '../../../app/live/browser/live-feed';
import type { Call, FeedUnderTest } from '../../contracts/live-feed-contract';
import { temporaryFolder } from '../server/server';

const PAGE = `<!doctype html><title>feed</title><script type="module">
import { createEventSourceFeed } from '/feed/event-source-feed.js';
window.feed = createEventSourceFeed();
</script>`;

interface FeedWindow {
  feed: LiveFeed;
  subscribe(): number;
  calls: Call[][];
  stops: (() => void)[];
}

/**
 * Runs the embedded feed in Chromium without the product's pages: builds its module alone and serves it from an
 * origin that forwards everything else to a running server.
 */
export async function eventSourceFeedInChromium(
  browser: Browser,
  serverUrl: string,
): Promise<Omit<FeedUnderTest, 'insert'>> {
  built ??= buildFeed();
  const folder = await built;

  const sockets = new Set<Socket>();
  const origin = createServer((request, response) => {
    const [path = '/'] = (request.url ?? '/').split('?');
    if (path === '/') response.writeHead(200, { 'Content-Type': 'text/html' }).end(PAGE);
    else if (path.startsWith('/feed/')) {
      response
        .writeHead(200, { 'Content-Type': 'text/javascript' })
        .end(readFileSync(join(folder, path.slice('/feed/'.length))));
    } else proxy(serverUrl, request, response);
  });
  origin.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  origin.listen(0, '127.0.0.1');
  await once(origin, 'listening');
  const { port } = origin.address() as AddressInfo;

  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.evaluate(() => {
    const own = window as unknown as FeedWindow;
    Object.assign(own, {
      calls: [],
      stops: [],
      subscribe() {
        const calls: Call[] = [];
        own.stops.push(
          own.feed.subscribe({
            onInsert: (reading) => calls.push({ method: 'onInsert', reading }),
            onConnected: () => calls.push({ method: 'onConnected' }),
            onDisconnected: () => calls.push({ method: 'onDisconnected' }),
          }),
        );
        return own.calls.push(calls) - 1;
      },
    });
  });

  const subscribeWith = (subscribe: () => number) => async () => {
    const index = await page.evaluate(subscribe);
    return {
      calls: () => page.evaluate((i) => (window as unknown as FeedWindow).calls[i] as Call[], index),
      stop: () => page.evaluate((i) => (window as unknown as FeedWindow).stops[i]?.(), index),
    };
  };

  return {
    connectedCalls: 1,
    subscribe: subscribeWith(() => (window as unknown as FeedWindow).subscribe()),
    subscribeTwice: subscribeWith(() => {
      const own = window as unknown as FeedWindow;
      own.stops[own.subscribe()]?.();
      return own.subscribe();
    }),
    outage: {
      async begin() {
        origin.close();
        for (const socket of sockets) socket.destroy();
        await once(origin, 'close');
      },
      async end() {
        origin.listen(port, '127.0.0.1');
        await once(origin, 'listening');
      },
    },
    async close() {
      await context.close();
      for (const socket of sockets) socket.destroy();
      origin.close();
    },
  };
}

/** The folder with the built feed, which all tests of a process share. */
let built: Promise<string> | undefined;

/** Builds the feed for a browser and returns the folder. */
async function buildFeed(): Promise<string> {
  const folder = temporaryFolder();
  await build({
    configFile: false,
    logLevel: 'error',
    base: '/feed/',
    worker: { format: 'es' },
    build: {
      outDir: folder,
      target: 'es2022',
      modulePreload: false,
      rollupOptions: {
        input: 'app/live/browser/event-source-feed.ts',
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: 'event-source-feed.js' },
      },
    },
  });
  return folder;
}

function proxy(serverUrl: string, request: IncomingMessage, response: ServerResponse): void {
  const onward = forward(serverUrl + request.url, {
    method: request.method,
    headers: { ...request.headers, host: new URL(serverUrl).host },
  });
  onward.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    response.flushHeaders();
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  response.once('close', () => onward.destroy());
  request.pipe(onward);
}
