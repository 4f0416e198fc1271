import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** So many requests of one connection may wait: no honest client sends more without reading an answer. */
const WAITING_LIMIT = 100;

const lines = new WeakMap<Socket, (() => void)[]>();

/**
 * Answers the requests of one connection one after another. Node hands over pipelined requests all at
 * once: what is answered to the later ones would pile up in memory behind a first one that nobody reads,
 * and would never be told that the client has left.
 */
export function serializeRequests(socket: Socket, response: ServerResponse, answer: () => void): void {
  const line = lines.get(socket) ?? [];
  const start = () => {
    response.once('close', next);
    answer();
  };
  const next = () => {
    const following = socket.destroyed ? undefined : line.shift();
    if (following) following();
    else lines.delete(socket);
  };
  if (!lines.has(socket)) {
    lines.set(socket, line);
    start();
  } else if (line.length < WAITING_LIMIT) {
    line.push(start);
  } else {
    socket.destroy();
  }
}
