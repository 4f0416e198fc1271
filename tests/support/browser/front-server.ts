import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { onTestFinished } from 'vitest';
import { freePort } from '../server/server';

/**
 * A proxy in front of a server, which pretends that the server has another build or another service worker, is slow or gone,
 * or that something else answers at its address.
 */
export interface FrontServer {
  url: string;
  /** The build that answers name; undefined for the server's own. */
  build?: string;
  /** The script at `/service-worker.js`; undefined for the server's own. */
  serviceWorker?: string;
  /** A document that answers everything instead of the server. */
  otherProject?: string;
  /** A part of the addresses whose answers stop after their first byte. */
  stalled?: string;
  /** The addresses that were asked for. */
  asked: string[];
  /** Refuses connections, as the port of a server that was killed does. */
  goDown(): Promise<void>;
  comeBack(): Promise<void>;
}

/** Starts a proxy for the test that is running. */
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
  const server = createServer((asked, answer) => {
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
