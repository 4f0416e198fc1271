import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { Aedes } from 'aedes';
import { freePort } from '../server/server';

/** A message that a client has sent, in the order of arrival. */
interface SentMessage {
  topic: string;
  payload: string;
  retain: boolean;
  qos: number;
}

/** An MQTT 3.1.1 broker in this process, which records what clients send. */
export interface MqttBroker {
  port: number;
  messages: SentMessage[];
  /** The retained messages by topic. */
  retained: Map<string, string>;
  publish(topic: string, payload: string, options?: { retain?: boolean }): Promise<void>;
  /** Ends without a word, and forgets everything. */
  stop(): Promise<void>;
}

export async function startMqttBroker(port?: number): Promise<MqttBroker> {
  const aedes = await Aedes.createBroker();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    aedes.handle(socket);
  });
  const messages: SentMessage[] = [];
  const retained = new Map<string, string>();
  aedes.on('publish', (packet) => {
    const { topic, retain, qos } = packet;
    if (topic.startsWith('$SYS/')) return;
    const payload = String(packet.payload);
    messages.push({ topic, payload, retain, qos });
    if (retain && payload === '') retained.delete(topic);
    else if (retain) retained.set(topic, payload);
  });
  const ownPort = port ?? (await freePort());
  server.listen(ownPort, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: ownPort,
    messages,
    retained,
    publish: (topic, payload, { retain = false } = {}) =>
      new Promise((resolve, reject) =>
        aedes.publish(
          { cmd: 'publish', topic, payload: Buffer.from(payload), retain, qos: 1, dup: false },
          (error) => (error ? reject(error) : resolve()),
        ),
      ),
    async stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => aedes.close(() => resolve()));
    },
  };
}
