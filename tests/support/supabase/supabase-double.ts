import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ProjectDatabase } from './project-database';
import { RealtimeDouble, type Row } from './realtime-double';
import { RestLayer } from './rest-layer';

/** A row to insert. Without a time, it gets the database's. */
type NewRow = Partial<Row>;

/** A Supabase project: the migrations on a Postgres in memory, its REST API over HTTP and its Realtime over WebSockets. */
export interface SupabaseDouble {
  url: string;
  publicKey: string;
  secretKey: string;
  rest: RestLayer;
  realtime: RealtimeDouble;
  /** The environment variables for a server that uses this project. */
  env: Record<string, string>;
  /** Runs statements of the project's owner, which drop a function or a policy, for example. */
  run(sql: string): Promise<void>;
  /** Returns true if the query of the project's owner finds a row. */
  exists(sql: string): Promise<boolean>;
  /** Returns all readings in the order of their ids. */
  rows(): Promise<Row[]>;
  /** Adds rows as another client would. Realtime announces each. */
  insert(...values: NewRow[]): Promise<Row[]>;
  /** Takes an id for an insert, whose row may be committed after rows with higher ids. */
  takeId(): Promise<number>;
  /** Adds `count` rows, 15 s apart, without announcing them through Realtime. */
  seed(count: number): Promise<void>;
  /** Cuts every connection and stops listening, like a paused project or a broken network. */
  goDown(): Promise<void>;
  /** Listens again at the same address. */
  comeUp(): Promise<void>;
  /** Ends the faults, and starts listening. */
  endFaults(): Promise<void>;
  /** Also undoes everything that was stored or altered, for the next test. */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

const KEYS = { publicKey: 'sb_publishable_double', secretKey: 'sb_secret_double_only_the_server_knows' };

/** Starts a double on a free port. */
export async function startSupabaseDouble(): Promise<SupabaseDouble> {
  const database = await ProjectDatabase.open();
  const server = createServer((request, response) => {
    rest.respond(request, response).catch(() => request.socket.destroy());
  });
  /** The newest row that Realtime knows. */
  let announced = 0;
  const rest = new RestLayer(KEYS, database, announceNew);
  const realtime = new RealtimeDouble(server, KEYS);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;

  const rowsAfter = async (id: number) => {
    const sql = 'select to_jsonb(data) as row from data where id > $1 order by id';
    return (await database.query<{ row: Row }>(sql, [id])).map(({ row }) => row);
  };

  async function announceNew(): Promise<void> {
    announce(await rowsAfter(announced));
  }

  function announce(rows: Row[]): void {
    for (const row of rows) {
      announced = Math.max(announced, row.id);
      realtime.announce(row);
    }
  }

  async function insert(...values: NewRow[]): Promise<Row[]> {
    const names = [...new Set(values.flatMap((row) => Object.keys(row)))].join();
    const rows = await database.query<{ row: Row }>(
      `insert into data (${names}) overriding system value
       select ${names} from jsonb_populate_recordset(jsonb_populate_record(null::data, '{"sensor": ""}'), $1) returning to_jsonb(data) as row`,
      [JSON.stringify(values)],
    );
    announce(rows.map(({ row }) => row));
    return rows.map(({ row }) => row);
  }

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

  async function endFaults(): Promise<void> {
    await comeUp();
    realtime.reset();
    rest.endFaults();
  }

  return {
    url,
    ...KEYS,
    rest,
    realtime,
    env: { SUPABASE_URL: url, SUPABASE_PUBLISHABLE_KEY: KEYS.publicKey },
    run: (sql) => database.run(sql),
    exists: async (sql) => (await database.query(sql)).length > 0,
    rows: () => rowsAfter(0),
    insert,
    async takeId() {
      const [{ id } = { id: Number.NaN }] = await database.query<{ id: number }>(
        "select nextval(pg_get_serial_sequence('data', 'id'))::integer as id",
      );
      return id;
    },
    async seed(count) {
      await database.run(
        `insert into data (co2, voc, created_at)
         select 600 + (n - 1) % 50, 200 + (n - 1) % 20, clock_timestamp() - (${count} - n) * interval '15 s' - interval '1 s'
         from generate_series(1, ${count}) n`,
      );
      announced = (await rowsAfter(announced)).at(-1)?.id ?? announced;
    },
    goDown,
    comeUp,
    endFaults,
    async reset() {
      await endFaults();
      await database.reset();
      announced = 0;
    },
    async stop() {
      await goDown();
      await database.close();
    },
  };
}
