import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { formatTime, type Row } from './postgrest-rows';

/** A frame of Realtime's protocol 2.0.0. */
export type Frame = [
  joinRef: string | null,
  ref: string | null,
  topic: string,
  event: string,
  payload: unknown,
];

export function send(socket: WebSocket, frame: Frame): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(frame));
}

/** A joined channel. */
export interface Channel {
  socket: WebSocket;
  joinRef: string;
  topic: string;
  /** The inserts that it listens to: the id of each binding, and which rows its filter selects. */
  bindings: { id: number; selects(row: Row): boolean }[];
  /** "Subscribed to PostgreSQL" was sent. */
  isSubscribed: boolean;
  /** The worker behind it died, and the channel was not told. */
  isDead: boolean;
}

export function sendSystem(
  { socket, joinRef, topic }: Channel,
  status: string,
  message: string,
  extension = 'postgres_changes',
): void {
  const channel = topic.replace('realtime:', '');
  send(socket, [joinRef, null, topic, 'system', { message, status, extension, channel }]);
}

/** Refuses a WebSocket: its handshake is answered with an error in JSON. */
export function refuse(socket: Duplex, status: number): void {
  const body = JSON.stringify({ error: STATUS_CODES[status] });
  const headers = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close`;
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers}\r\n\r\n${body}`);
}

/** Returns the payload of an INSERT event; `isEmpty` for a role that may not select the table. */
export function insertEvent(row: Row, bindingIds: number[], isEmpty: boolean): unknown {
  const { id, micros, co2, voc, sensor } = row;
  const data = {
    schema: 'public',
    table: 'data',
    commit_timestamp: isEmpty ? null : new Date(Number(micros / 1000n)).toISOString(),
    type: 'INSERT',
    errors: isEmpty ? ['Error 401: Unauthorized'] : null,
    columns: isEmpty ? [] : COLUMNS,
    record: isEmpty ? {} : { id, created_at: formatTime(micros, 'hosted'), co2, voc, sensor },
  };
  return { ids: bindingIds, data };
}

const COLUMNS = [
  { name: 'id', type: 'int8' },
  { name: 'created_at', type: 'timestamptz' },
  { name: 'co2', type: 'numeric' },
  { name: 'voc', type: 'numeric' },
  { name: 'sensor', type: 'text' },
];
