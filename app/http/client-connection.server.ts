import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { singleton } from '../config/singleton.server';

/** How long a client that was refused may take to stop sending and read why. */
const LINGER_MS = 2000;

export type ClientConnection = ReturnType<typeof connectionOf>;

/** What a route may do with the connection that its answer goes to. */
export function connectionOf(response: ServerResponse) {
  return {
    /** Writes a part of the body, past whatever queues there are. */
    write(bytes: Uint8Array): void {
      // Behind a head that announced no chunks, the connection itself is the shorter way.
      if (response.headersSent && !response.chunkedEncoding) response.socket?.write(bytes);
      else response.write(bytes);
    },
    /** Bytes written that the client has not taken yet. */
    pendingBytes: () => response.writableLength,
    /**
     * Ends the connection with the answer, and reads nothing more from it. It stays for a moment: closed at
     * once, with bytes unread, it would be reset, and a client that still sends would lose the answer.
     */
    endAfterAnswer(): void {
      const { socket } = response;
      if (!socket) return;
      response.setHeader('Connection', 'close');
      // A body that nobody has begun to read Node would read to its end, to throw it away.
      response.req.read(0);
      socket.destroySoon = () => {
        socket.end();
        setTimeout(() => socket.destroy(), LINGER_MS).unref();
      };
    },
    /** Aborted when the client has gone. Unlike a request's own signal, which is lost as garbage while it waits. */
    gone(): AbortSignal {
      const controller = new AbortController();
      if (response.destroyed) controller.abort();
      response.once('close', () => controller.abort());
      return controller.signal;
    },
    /** Cuts the connection, with what is pending. */
    disconnect: () => void response.destroy(),
    /** Resolves once there is room for more: true while there is someone to read it. */
    async drained(): Promise<boolean> {
      // The socket's own event: what is written to it directly never reaches the response.
      if (response.socket?.writableNeedDrain) await nextRoom(response.socket);
      return !(response.destroyed || response.closed);
    },
  };
}

function nextRoom(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done);
      socket.off('close', done);
      resolve();
    };
    socket.on('drain', done);
    socket.on('close', done);
  });
}

const responses = singleton('responses', () => new AsyncLocalStorage<ServerResponse>());

/** Runs what answers a request so that `currentClient` knows its client. Every promise is the slower for it. */
export function withConnection(response: ServerResponse, answer: () => void): void {
  responses.run(response, answer);
}

/** The client of the request in whose course this is called, for a route that is called by Remix. */
export function currentConnection(): ClientConnection {
  const response = responses.getStore();
  if (!response) throw new Error('only what the front door has let in has a client');
  return connectionOf(response);
}
