/** The client of a request: its address, its connection, and a signal that it has disconnected. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP, isIPv6, type Socket } from 'node:net';
import { getEnv } from '../../config/env.server';
import { singleton } from '../../config/singleton.server';
import type { ClientConnection } from '../answer';
import { pageQuestion } from '../question.server';

/** A refused client may go on sending for this long before its connection is cut. */
const LINGER_MS = 2000;

/**
 * Matches global, unique local (`fc00::/7`) and link-local (`fe80::/10`) addresses of IPv6, whose second half a client
 * can choose.
 */
const CHOSEN_HALF = /^([23]|f[cd]|fe[89ab])/i;

export function addressOf({ socket, headers }: IncomingMessage): string {
  return clientAddress(socket.remoteAddress, headers['x-forwarded-for']?.toString() ?? null);
}

/**
 * Returns the address that a request counts for. With `TRUST_PROXY`, this is the entry that the outermost trusted proxy
 * added to `X-Forwarded-For`. A client can forge only the entries to the left of it.
 *
 * @param remote the address at the other end of the connection
 * @returns an IP address; for most IPv6 addresses only the first half, because a client can choose the second
 */
export function clientAddress(remote: string | undefined, forwardedFor: string | null): string {
  const { TRUST_PROXY } = getEnv();
  const forwarded = TRUST_PROXY > 0 ? forwardedFor?.split(',').at(-TRUST_PROXY)?.trim() : undefined;
  // A zone, as in `fe80::1%eth0`, has a meaning only on the proxy.
  const isAddress = forwarded && isIP(forwarded) && !forwarded.includes('%');
  const address = isAddress ? forwarded : (remote ?? 'unknown');
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  return mapped ?? (isIPv6(address) && CHOSEN_HALF.test(address) ? network(address) : address);
}

function network(address: string): string {
  const [withoutZone = ''] = address.split('%');
  const { hostname } = new URL(`http://[${withoutZone}]`);
  const [before = [], after = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((half) => half.split(':'));
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}

/** Returns a signal that is aborted when the response is complete or its connection closes. */
export function closeSignal(response: ServerResponse): AbortSignal {
  const leaving = new AbortController();
  const abort = () => leaving.abort();
  // A request's own `signal` can't be used: it may be collected as garbage while its client waits.
  if (response.destroyed || response.closed) abort();
  else response.once('close', abort);
  return leaving.signal;
}

interface PassedOnClient {
  address: string;
  signal: AbortSignal;
  /** See `pageQuestion`; undefined for a request that didn't pass the guard. */
  question?: string;
}

/** Identifies the request for its loader, because Remix makes a new `Request` without a connection. */
const REQUEST_HEADER = 'airboard-request';

const passedOn = singleton('passed-on', () => ({ last: 0, clients: new Map<string, PassedOnClient>() }));

/** Makes the client available to the request's loader through `passedOnClient`. */
export function passOnClient(request: IncomingMessage, response: ServerResponse, url: URL): void {
  passedOn.last += 1;
  const id = String(passedOn.last);
  request.headers[REQUEST_HEADER] = id;
  passedOn.clients.set(id, {
    address: addressOf(request),
    signal: closeSignal(response),
    question: pageQuestion({
      method: request.method ?? 'GET',
      url,
      header: (name) => request.headers[name]?.toString() ?? null,
    }),
  });
  response.once('close', () => passedOn.clients.delete(id));
}

export function passedOnClient({ headers, signal }: Request): PassedOnClient {
  const id = headers.get(REQUEST_HEADER);
  const address = clientAddress(undefined, headers.get('X-Forwarded-For'));
  if (id === null) return { address, signal };
  return passedOn.clients.get(id) ?? { address, signal: AbortSignal.abort() };
}

/**
 * Returns the connection of a response whose headers are sent and whose body isn't chunked. At most one write is pending,
 * and later ones join: Node makes an error with a stack for each pending write of a connection that is cut.
 */
export function connectionOf(response: ServerResponse): ClientConnection {
  let isWriting = false;
  let joined: Uint8Array[] = [];
  let joinedBytes = 0;
  const write = (bytes: Uint8Array) => {
    isWriting = true;
    // Bypasses the response's queue, which would dominate the cost of writing to thousands of streams.
    response.socket?.write(bytes, written);
  };
  const written = (error?: Error | null) => {
    isWriting = false;
    const waiting = joined;
    joined = [];
    joinedBytes = 0;
    // A socket that its client closed is destroyed before the response, and without an error here.
    const isCut = error || response.socket?.destroyed !== false;
    if (isCut || waiting.length === 0 || response.writableEnded) return;
    write(Buffer.concat(waiting));
  };
  return {
    write(bytes) {
      if (!isWriting) return write(bytes);
      joined.push(bytes);
      joinedBytes += bytes.length;
    },
    pendingBytes: () => response.writableLength + joinedBytes,
    takenBytes: () => (response.socket?.bytesWritten ?? 0) - response.writableLength,
    drained: () => drained(response),
    end: () => void response.end(),
    disconnect: () => void response.destroy(),
    onClose(listener) {
      if (response.destroyed) listener();
      else response.once('close', listener);
    },
  };
}

/** Resolves to true once the client can take more, or to false if it disconnects. */
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
 * Closes the connection after the response, without reading the rest of the request. The socket stays open for
 * `LINGER_MS`: if it were closed with unread bytes, it would be reset, and a client that still sends would lose the
 * response.
 */
export function closeAfterResponse(response: ServerResponse): void {
  const { socket } = response;
  if (!socket) return;
  response.setHeader('Connection', 'close');
  // Begins to read the body. Otherwise Node would read all of it to discard it.
  response.req.read(0);
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}
