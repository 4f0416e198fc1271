import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy to a server that can fail as a cable or a wireless network does. */
export interface Network {
  url: string;
  /** Closes all connections and refuses new ones until `mend`. */
  cut(): void;
  /**
   * Forwards nothing until `mend`, which forwards what new connections have sent meanwhile. Open event streams stay open
   * and silent; idle connections close, as their keep-alive timeout would do some seconds later.
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
