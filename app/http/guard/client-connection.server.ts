import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { singleton } from '../../config/singleton.server';
import { addressOf, clientAddress } from './client-address.server';

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

/** Returns a signal that is aborted when the response's connection closes, or when the response is complete. */
export function closeSignal(response: ServerResponse): AbortSignal {
  const leaving = new AbortController();
  const abort = () => leaving.abort();
  // A request's own `signal` can't be used: it may be collected as garbage while its client waits.
  if (response.destroyed || response.closed) abort();
  else response.once('close', abort);
  return leaving.signal;
}

/** The client of a request that Remix answers. */
export interface PassedOnClient {
  address: string;
  /** Aborted when the client leaves. */
  signal: AbortSignal;
}

/** Names the request to its loader: Remix makes a new one, without a connection. */
const REQUEST_HEADER = 'airboard-request';

const passedOn = singleton('passed-on', () => ({ last: 0, clients: new Map<string, PassedOnClient>() }));

/** Lets the loader of a request know its client (`passedOnClient`). */
export function passOnClient(request: IncomingMessage, response: ServerResponse): void {
  passedOn.last += 1;
  const id = String(passedOn.last);
  request.headers[REQUEST_HEADER] = id;
  passedOn.clients.set(id, { address: addressOf(request), signal: closeSignal(response) });
  response.once('close', () => passedOn.clients.delete(id));
}

/** Returns the client of a request that a loader gets. */
export function passedOnClient({ headers, signal }: Request): PassedOnClient {
  const id = headers.get(REQUEST_HEADER);
  const address = clientAddress(undefined, headers.get('X-Forwarded-For'));
  if (id === null) return { address, signal };
  return passedOn.clients.get(id) ?? { address, signal: AbortSignal.abort() };
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
