import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from './lite-server';

const FOLDER = 'supabase/migrations';

const names = () => readdirSync(FOLDER).sort();
const sqlOf = (name: string) => readFileSync(join(FOLDER, name), 'utf8');

/** Returns the SQL of the hosted table's migrations, in their order. */
export function migrations(): string[] {
  return names().map(sqlOf);
}

/** Returns the SQL of the migrations before one, and that of the others. */
export function migrationsBefore(name: string): [before: string[], others: string[]] {
  const index = names().indexOf(name);
  if (index < 0) throw new Error(`there is no migration ${name}`);
  return [migrations().slice(0, index), migrations().slice(index)];
}

/** Applies all migrations. */
export async function migrate(database: Database): Promise<void> {
  for (const sql of migrations()) await database.exec(sql);
}
