import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How many requests of one connection may wait: well above what clients send without reading a response. */
const WAITING_LIMIT = 100;

/** The waiting requests of each connection that has one in progress. */
const queues = new WeakMap<Socket, (() => void)[]>();

/**
 * Handles the requests of one connection one after another: calls `handle` once the responses to earlier
 * requests are closed. Node emits pipelined requests all at once. The later responses would pile up in
 * memory behind a first one that nobody reads, and would never learn that the client has left.
 *
 * Once the server has ended the connection, what still arrives is not handled: nobody would get the response, and
 * after a refused request it may be that request's body.
 */
export function serializeRequests(socket: Socket, response: ServerResponse, handle: () => void): void {
  if (!socket.writable) return;
  const queue = queues.get(socket) ?? [];
  const start = () => {
    response.once('close', startNext);
    handle();
  };
  const startNext = () => {
    const next = socket.writable ? queue.shift() : undefined;
    if (next) next();
    else queues.delete(socket);
  };
  if (!queues.has(socket)) {
    queues.set(socket, queue);
    start();
  } else if (queue.length < WAITING_LIMIT) {
    queue.push(start);
  } else {
    socket.destroy();
  }
}
