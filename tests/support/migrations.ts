import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from './lite-server';

const FOLDER = 'supabase/migrations';

/** Returns the SQL of the hosted table's migrations, in their order. */
export function migrations(): string[] {
  return readdirSync(FOLDER)
    .sort()
    .map((name) => readFileSync(join(FOLDER, name), 'utf8'));
}

/** Applies all migrations. */
export async function migrate(database: Database): Promise<void> {
  for (const sql of migrations()) await database.exec(sql);
}
