import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { build } from 'vite';
import type { FeedSettings, LiveFeed } from '../../app/live/browser/live-feed';
import type { FeedUnderTest, Told } from '../contracts/live-feed-contract';
import { temporaryFolder } from './server';

const PAGE = `<!doctype html><title>feed</title><script type="module">
import { createLiveFeed } from '/feeds/live-feed.js';
window.createLiveFeed = createLiveFeed;
</script>`;

interface FeedWindow {
  createLiveFeed(settings: FeedSettings): Promise<LiveFeed>;
  subscribe(): number;
  told: Told[][];
  stops: (() => void)[];
}

type BrowserFeed = Omit<FeedUnderTest, 'insert'>;

/**
 * The product's live feeds in Chromium, without the product's pages: their module, built by itself, on an
 * origin that hands everything else on to a running server.
 */
export async function feedInChromium(
  browser: Browser,
  serverUrl: string,
  settings: FeedSettings,
): Promise<BrowserFeed> {
  const folder = temporaryFolder();
  await build({
    configFile: false,
    logLevel: 'error',
    base: '/feeds/',
    worker: { format: 'es' },
    build: {
      outDir: folder,
      target: 'es2022',
      modulePreload: false,
      rollupOptions: {
        input: 'app/live/browser/create-live-feed.ts',
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: 'live-feed.js' },
      },
    },
  });

  const sockets = new Set<Socket>();
  const origin = createServer((request, response) => {
    const [path = '/'] = (request.url ?? '/').split('?');
    if (path === '/') response.writeHead(200, { 'Content-Type': 'text/html' }).end(PAGE);
    else if (path.startsWith('/feeds/')) {
      response
        .writeHead(200, { 'Content-Type': 'text/javascript' })
        .end(readFileSync(join(folder, path.slice(7))));
    } else handOn(serverUrl, request, response);
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
  const overlap = await page.evaluate(async (given) => {
    const own = window as unknown as FeedWindow;
    const feed = await own.createLiveFeed(given);
    Object.assign(own, {
      told: [],
      stops: [],
      subscribe() {
        const told: Told[] = [];
        own.stops.push(
          feed.subscribe({
            onInsert: (reading) => told.push({ call: 'onInsert', reading }),
            onConnected: () => told.push({ call: 'onConnected' }),
            onDisconnected: () => told.push({ call: 'onDisconnected' }),
          }),
        );
        return own.told.push(told) - 1;
      },
    });
    return feed.overlap;
  }, settings);

  const follow = (subscribe: () => number) => async () => {
    const number = await page.evaluate(subscribe);
    return {
      told: () => page.evaluate((i) => (window as unknown as FeedWindow).told[i] as Told[], number),
      stop: () => page.evaluate((i) => (window as unknown as FeedWindow).stops[i]?.(), number),
    };
  };

  return {
    overlap,
    signs: settings.kind === 'supabase' ? 2 : 1,
    subscribe: follow(() => (window as unknown as FeedWindow).subscribe()),
    subscribeTwice: follow(() => {
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

function handOn(serverUrl: string, request: IncomingMessage, response: ServerResponse): void {
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
