import { once } from 'node:events';
import { createServer as createHttpServer, request } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { freePort } from '../server/server';

/** A TCP proxy to a server that can fail as a cable or a wireless network does. */
export interface Network {
  url: string;
  /** Closes all connections and refuses new ones until `mend`. */
  cut(): void;
  /**
   * Forwards nothing until `mend`, which then forwards the data of new connections. Open event streams stay open and
   * silent. Idle connections close, as they would after their keep-alive timeout a few seconds later.
   */
  stall(): void;
  /** Forwards new connections again. */
  mend(): void;
  close(): Promise<void>;
}

/** Starts a proxy to a port of this machine. */
export async function openNetwork(port: number): Promise<Network> {
  let state: 'up' | 'cut' | 'stalled' = 'up';
  const sockets = new Set<Socket>();
  const streams = new Set<Socket>();
  let waiting: Socket[] = [];
  const server = createServer((client) => {
    sockets.add(client.once('close', () => sockets.delete(client)).on('error', () => client.destroy()));
    if (state === 'up') forward(client);
    else if (state === 'cut') client.destroy();
    else waiting.push(client);
  }).listen(0, '127.0.0.1');

  function forward(client: Socket): void {
    const far = connect(port, '127.0.0.1').on('error', () => client.destroy());
    sockets.add(far.once('close', () => sockets.delete(far)));
    client.pipe(far).pipe(client);
    far.on('data', (bytes) => {
      if (String(bytes).includes('text/event-stream')) streams.add(client).add(far);
    });
    client.once('close', () => far.destroy());
    far.once('close', () => client.destroy());
  }

  await once(server, 'listening');
  const { port: ownPort } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${ownPort}`,
    cut() {
      state = 'cut';
      for (const socket of sockets) socket.destroy();
    },
    stall() {
      state = 'stalled';
      for (const socket of sockets) {
        if (streams.has(socket)) socket.unpipe().pause();
        else socket.destroy();
      }
    },
    mend() {
      state = 'up';
      for (const client of waiting) if (!client.destroyed) forward(client);
      waiting = [];
    },
    async close() {
      state = 'cut';
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/**
 * A proxy in front of a server. It can simulate another build or another service worker, slow or absent answers, or
 * something else at the server's address.
 */
export interface FrontServer {
  url: string;
  /** The build named in answers; undefined for the server's own. */
  build?: string;
  /** The script at `/service-worker.js`; undefined for the server's own. */
  serviceWorker?: string;
  /** A document that replaces every answer of the server. */
  otherProject?: string;
  /** Answers stop after the first byte if the address contains this text. */
  stalled?: string;
  /** The requested addresses. */
  asked: string[];
  /** Refuses connections, like the port of a killed server. */
  goDown(): Promise<void>;
  comeBack(): Promise<void>;
}

/** Starts a proxy for the current test. */
export async function startFrontServer(target: string): Promise<FrontServer> {
  const port = await freePort();
  const front: FrontServer = {
    url: `http://127.0.0.1:${port}`,
    asked: [],
    async goDown() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
    async comeBack() {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
  };
  const server = createHttpServer((asked, answer) => {
    const { method, headers, url = '' } = asked;
    front.asked.push(url);
    if (front.otherProject !== undefined) {
      answer.end(front.otherProject);
      return;
    }
    if (front.serviceWorker !== undefined && url === '/service-worker.js') {
      answer.writeHead(200, { 'Content-Type': 'text/javascript' }).end(front.serviceWorker);
      return;
    }
    const passed = request(target + url, { method, headers }, (response) => {
      const build =
        front.build && response.headers['airboard-build'] ? { 'airboard-build': front.build } : {};
      answer.writeHead(response.statusCode ?? 502, { ...response.headers, ...build });
      if (front.stalled && url.includes(front.stalled))
        response.once('data', (bytes: Buffer) => answer.write(bytes.subarray(0, 1)));
      else response.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    asked.pipe(passed);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return front;
}
