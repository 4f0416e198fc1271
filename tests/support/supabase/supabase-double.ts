import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type NewRow, PostgrestDouble } from './postgrest-double';
import type { Row } from './postgrest-rows';
import { RealtimeDouble } from './realtime-double';

/** Stands in for a Supabase project: its REST API over HTTP and its Realtime over WebSockets. */
export interface SupabaseDouble {
  url: string;
  publicKey: string;
  secretKey: string;
  rest: PostgrestDouble;
  realtime: RealtimeDouble;
  /** The environment of a server that uses it. */
  env: Record<string, string>;
  /** Adds rows as another client would; Realtime announces each. */
  insert(...values: NewRow[]): Row[];
  /** Adds `count` rows, 15 s apart, that Realtime doesn't announce. */
  seed(count: number): void;
  /** Cuts every connection and stops listening, like a paused project or a broken network. */
  goDown(): Promise<void>;
  /** Listens again at the same address. */
  comeUp(): Promise<void>;
  /** Empties the table, ends the faults and comes up, for the next test. */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

const KEYS = { publicKey: 'sb_publishable_double', secretKey: 'sb_secret_double_only_the_server_knows' };

/** Starts a double on a free port. */
export async function startSupabaseDouble(): Promise<SupabaseDouble> {
  const server = createServer((request, response) => {
    rest.respond(request, response).catch(() => request.socket.destroy());
  });
  const rest: PostgrestDouble = new PostgrestDouble(KEYS, (row) => realtime.announce(row));
  const realtime = new RealtimeDouble(server, KEYS);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;

  async function goDown(): Promise<void> {
    if (!server.listening) return;
    server.close();
    realtime.drop();
    server.closeAllConnections();
    await once(server, 'close');
  }

  async function comeUp(): Promise<void> {
    if (server.listening) return;
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  }

  return {
    url,
    ...KEYS,
    rest,
    realtime,
    env: { SUPABASE_URL: url, SUPABASE_PUBLISHABLE_KEY: KEYS.publicKey },
    insert: (...values) => values.map((row) => rest.insert(row)),
    seed(count) {
      const newest = BigInt(Date.now() - 1000) * 1000n;
      const first = (rest.rows.at(-1)?.id ?? 0) + 1;
      for (let i = 0; i < count; i++) {
        const micros = newest - BigInt(count - 1 - i) * 15_000_000n + BigInt(i % 1000);
        rest.rows.push({ id: first + i, micros, co2: 600 + (i % 50), voc: 200 + (i % 20), sensor: '' });
      }
    },
    goDown,
    comeUp,
    async reset() {
      await comeUp();
      realtime.reset();
      rest.reset();
    },
    stop: goDown,
  };
}
