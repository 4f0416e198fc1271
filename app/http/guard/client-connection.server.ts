import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long a refused client may go on sending before its connection is cut. */
const LINGER_MS = 2000;

/** The connection to a client, for a body that writes itself. */
export interface ClientConnection {
  /** Sends bytes at once, without waiting for earlier ones to be read. */
  write(bytes: Uint8Array): void;
  /** Returns how many written bytes the client hasn't read yet. */
  pendingBytes(): number;
  /** Resolves once the client has room for more: to true while it is connected. */
  drained(): Promise<boolean>;
  /** Ends the body after the bytes that are pending. */
  end(): void;
  /** Cuts the connection and drops the bytes that are pending. */
  disconnect(): void;
  /** Calls `listener` once the connection has closed, even if it closed before. */
  onClose(listener: () => void): void;
}

/** Returns the connection of a response whose headers are sent and whose body isn't chunked. */
export function connectionOf(response: ServerResponse): ClientConnection {
  return {
    // Past the response and its queue: with thousands of streams, that is most of the cost of a write.
    write: (bytes) => void response.socket?.write(bytes),
    pendingBytes: () => response.writableLength,
    drained: () => drained(response),
    end: () => void response.end(),
    disconnect: () => void response.destroy(),
    // A request's `signal` can't be used: it may be collected as garbage while its stream is open.
    onClose(listener) {
      if (response.destroyed) listener();
      else response.once('close', listener);
    },
  };
}

/** Resolves once the response's socket has room for more: to true while the client is connected. */
export async function drained(response: ServerResponse): Promise<boolean> {
  // The response's own `drain` isn't emitted for bytes that were written straight to the socket.
  if (response.socket?.writableNeedDrain) await nextDrain(response.socket);
  return !(response.destroyed || response.closed);
}

function nextDrain(socket: Socket): Promise<void> {
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

/**
 * Has the connection closed after the response, without reading the rest of the request. Closing lingers:
 * a socket that is closed with unread bytes is reset, and a client that still sends would lose the response.
 */
export function closeAfterResponse(response: ServerResponse): void {
  const { socket } = response;
  if (!socket) return;
  response.setHeader('Connection', 'close');
  // Node reads a body that nobody has begun to read to its end, to discard it.
  response.req.read(0);
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}
