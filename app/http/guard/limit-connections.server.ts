import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { logRefusal } from './refusal-log.server';

/**
 * Keeps at most `limit` connections of a server open. For one more, closes the connection that has been without a request for
 * longest, so that clients that only hold connections can't keep others out; nginx does the same. A request counts from the end
 * of its headers to the end of its response, so that a stream stays open, and headers that never end don't. If every connection
 * has a request, the new connection is closed.
 *
 * `server.maxConnections` can't be used: Node refuses the new connection before another one can be closed.
 */
export function limitConnections(server: Server, limit: number): void {
  /** Connections without a request, the one that has been so for longest first. */
  const idle = new Set<Socket>();
  /** The number of unanswered requests of each other connection. Pipelined requests arrive at once. */
  const busy = new Map<Socket, number>();

  server.on('connection', (socket: Socket) => {
    idle.add(socket);
    socket.once('close', () => {
      idle.delete(socket);
      busy.delete(socket);
    });
    if (idle.size + busy.size <= limit) return;
    const [longestIdle = socket] = idle;
    if (longestIdle === socket) logRefusal({}, 503, `More than ${limit} connections are open.`);
    idle.delete(longestIdle);
    longestIdle.destroy();
  });

  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    idle.delete(socket);
    busy.set(socket, (busy.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const requests = (busy.get(socket) ?? 0) - 1;
      if (socket.destroyed) return;
      if (requests > 0) {
        busy.set(socket, requests);
      } else {
        busy.delete(socket);
        idle.add(socket);
      }
    });
  });
}
