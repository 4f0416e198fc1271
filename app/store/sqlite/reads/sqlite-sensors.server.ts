import type Database from 'libsql';

/** Names kept in memory. Any client may make sensors. */
const KEPT = 10_000;

/** Translates between a sensor's name and its key in the database. Call `refresh` in each transaction. */
export function sqliteSensors(database: Database.Database) {
  const selectVersion = database.prepare('pragma data_version').pluck();
  const selectId = database.prepare('select id from sensors where name = ?').pluck();
  const insert = database.prepare('insert into sensors (name) values (?)');
  const ids = new Map<string, number>();
  const names = new Map<number, string>();

  function keep(name: string, id: number): void {
    if (ids.size >= KEPT) forget();
    ids.set(name, id);
    names.set(id, name);
  }

  let version = 0;

  function forget(): void {
    ids.clear();
    names.clear();
  }

  /** Returns a sensor's key, or null if there is no sensor of that name. */
  function idOf(name: string): number | null {
    const known = ids.get(name);
    if (known !== undefined) return known;
    const [id = null] = selectId.all(name) as number[];
    if (id !== null) keep(name, id);
    return id;
  }

  return {
    /** Forgets all names, such as after a rollback. */
    forget,
    /** Forgets all names if another program, such as the sqlite3 shell, has changed the database. */
    refresh(): void {
      const [current = 0] = selectVersion.all() as number[];
      if (current !== version) forget();
      version = current;
    },
    idOf,
    /** Returns a sensor's key if it is in memory. */
    knownId: (name: string): number | undefined => ids.get(name),
    /** Returns a sensor's name if it is in memory. */
    knownName: (id: number): string | undefined => names.get(id),
    /** Keeps a name in memory. */
    keep,
    /** Returns a sensor's key, and creates the sensor if missing. */
    ensure(name: string): number {
      const known = idOf(name);
      if (known !== null) return known;
      const id = Number(insert.run(name).lastInsertRowid);
      keep(name, id);
      return id;
    },
  };
}
