import { type Database, openProject } from './pglite';

/** Loaded databases that no test uses. Loading one takes a second. */
const idle: Database[] = [];

/** Restarts the ids of all tables, which a rollback doesn't. */
const RESTART_IDS = "select setval(format('%I.%I', schemaname, sequencename), 1, false) from pg_sequences";

/** The roles of a project's keys. */
export type Role = 'anon' | 'service_role';

/** A query whose result has one row. */
export type Query = <T>(sql: string, parameters?: unknown[]) => Promise<T>;

/**
 * The migrated database of one project. It lives in a transaction, which is rolled back at the end: so is everything that a
 * test has stored, dropped or altered.
 */
export class ProjectDatabase {
  /** Everything waits for the previous call, because a Postgres in memory has one session. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(private readonly database: Database) {}

  static async open(): Promise<ProjectDatabase> {
    const project = new ProjectDatabase(idle.pop() ?? (await openProject()));
    await project.database.exec('begin');
    return project;
  }

  /** Undoes everything since the beginning. */
  reset(): Promise<void> {
    return this.#alone(async () => {
      await this.database.exec(`rollback; ${RESTART_IDS}; begin`);
    });
  }

  async close(): Promise<void> {
    await this.#alone(() => this.database.exec(`rollback; ${RESTART_IDS}`));
    idle.push(this.database);
  }

  /** Runs statements of the project's owner. */
  async run(sql: string): Promise<void> {
    await this.#alone(() => this.#within(() => this.database.exec(sql)));
  }

  /** Runs the owner's query. */
  query<T>(sql: string, parameters: unknown[] = []): Promise<T[]> {
    return this.#alone(() => this.#within(async () => (await this.database.query<T>(sql, parameters)).rows));
  }

  /** Runs queries of a role. If one fails, none has an effect. */
  as<T>(role: Role, work: (query: Query) => Promise<T>): Promise<T> {
    return this.#alone(() =>
      this.#within(async () => {
        await this.database.exec(`set local role ${role}`);
        const result = await work(
          async <R>(sql: string, parameters?: unknown[]) =>
            (await this.database.query<R>(sql, parameters)).rows[0] as R,
        );
        await this.database.exec('set local role none');
        return result;
      }),
    );
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }

  async #within<T>(work: () => Promise<T>): Promise<T> {
    await this.database.exec('savepoint one');
    try {
      const result = await work();
      await this.database.exec('release one');
      return result;
    } catch (error) {
      await this.database.exec('rollback to one; release one');
      throw error;
    }
  }
}
