import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrations, openPostgres } from '../support/supabase/pglite';
import { findPostgres, startPostgres } from '../support/supabase/postgres-server';

/** The migrations from before 28 November 2026, which projects may have, each after a line with its name. */
const OLD_MIGRATIONS = gunzipSync(readFileSync('tests/support/supabase/old-migrations.sql.gz'))
  .toString()
  .split(/^-- MIGRATION /m)
  .slice(1)
  .map((file) => ({ version: file.slice(0, 14), sql: file.slice(file.indexOf('\n')) }));

/** The statement of docs/supabase.md that makes the CLI forget the old migrations. */
const FORGET = /^delete from supabase_migrations.*;$/m.exec(readFileSync('docs/supabase.md', 'utf8'))?.[0];

/** One row for each object of the schema `public`, and for each right. */
const CATALOG = `
select string_agg(entry, e'\\n' order by entry) from (
  select format('table %s %s %s', relname, relrowsecurity, reloptions) as entry
  from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
  union all
  select format('column %s %s %s %s %s %s %s', attrelid::regclass,
    row_number() over (partition by attrelid order by attnum), attname, format_type(atttypid, atttypmod), attnotnull,
    attidentity, pg_get_expr(adbin, adrelid))
  from pg_attribute join pg_class on pg_class.oid = attrelid
  left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
  union all
  select format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
  from pg_constraint where connamespace = 'public'::regnamespace
  union all select 'index ' || indexdef from pg_indexes where schemaname = 'public'
  union all select 'function ' || pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
  union all select 'trigger ' || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  union all select format('policy %s', pg_policies) from pg_policies
  union all select format('publication %s', pg_publication_tables) from pg_publication_tables
  union all
  select format('right to %s: %s %s', name, grantee::regrole, privilege_type)
  from (
    select relname::text as name, relacl as acl from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'
    union all
    select attrelid::regclass || '.' || attname, attacl from pg_attribute where attacl is not null and attrelid > 16383
    union all
    select oid::regprocedure::text, coalesce(proacl, acldefault('f', proowner)) from pg_proc
    where pronamespace = 'public'::regnamespace
  ) as object, aclexplode(acl)
) as entries`;

const TABLES = (
  'data slots metric_slots notes room_days alert_lease alert_progress alert_watched alert_sensors alert_transitions ' +
  'alert_messages alert_deliveries alert_attempts'
).split(' ');

/** Every row, without the columns and the transitions that the judging of late readings needed, and without the newest column. */
const ROWS = `select jsonb_build_object(${TABLES.map(
  (table) =>
    `'${table}', (select jsonb_agg(row order by row::text) from (select jsonb_strip_nulls(to_jsonb(${table})) - 'raw'${
      table === 'alert_transitions' ? " - '{air,is_withdrawn}'::text[]" : ''
    } as row from ${table}) as rows where not coalesce(row ->> 'sensor' = 'withdrawn', false))`,
)})`;

const FILL = `
insert into data (co2, voc, pm25, sensor, created_at)
  select 400 + n, nullif(n % 7, 0), nullif(n % 3, 0), 's' || n % 2, '2026-11-01Z'::timestamptz + n * interval '90 s'
  from generate_series(1, 500) n;
insert into notes (sensor, begins_at, text) values ('s1', '2026-11-01Z', 'candles');
insert into room_days values ('s1', 1793491200, 'key', '{}');
insert into alert_lease (holder, token, seconds, until) values (gen_random_uuid(), 3, 30, now());
insert into alert_progress (cursor) values (500);
insert into alert_watched (until, patience_ms) values (now(), 900000);
insert into alert_sensors (sensor, air, told, told_at) values ('s0', '{"level": "good"}', 'good', now()), ('s1', '{}', 'poor', null);
insert into alert_messages (id, created_at, sensor, at, state, event) values ('a', now(), 's1', '2026-11-01Z', 'poor', '{}');
insert into alert_deliveries (message, address) values (1, 'ntfy://one');
insert into alert_attempts values (1, 'ntfy://one', now(), 'retry', '503');
`;
const TRANSITION = `insert into alert_transitions (sensor, at, state, before, since, co2, others`;
const OLD_TRANSITIONS = `${TRANSITION}, air, is_withdrawn)
  values ('s1', '2026-11-01Z', 'poor', 'good', '2026-11-01Z', 2100, '{"pm25": 3}', '{}', false),
    ('withdrawn', '2026-11-02Z', 'good', 'poor', '2026-11-02Z', 600, '{}', '{}', true);`;
const NEWER_TRANSITIONS = `${TRANSITION})
  values ('s1', '2026-11-01Z', 'poor', 'good', '2026-11-01Z', 2100, '{"pm25": 3}');`;

const programs = findPostgres();
if (!programs) console.log('No Postgres is installed: its tests run in PGlite.');

/** Runs statements, and returns the value of a query as text. */
interface Project {
  run(sql: string): Promise<string>;
  close(): void | Promise<void>;
}

async function openProject(): Promise<Project> {
  if (!programs) {
    const database = await openPostgres();
    return {
      async run(sql) {
        const results = (await database.exec(sql)) as { rows: Record<string, unknown>[] }[];
        const [value] = Object.values(results.at(-1)?.rows[0] ?? {});
        return typeof value === 'object' ? JSON.stringify(value) : String(value);
      },
      close: () => database.close(),
    };
  }
  const server = startPostgres(programs);
  const session = server.session();
  await session.run(`create role anon; create role authenticated; create role service_role bypassrls;
    create publication supabase_realtime; alter default privileges in schema public
    grant all on tables to anon, authenticated, service_role`);
  const close = () => {
    session.close();
    server.stop();
  };
  return { run: (sql) => session.run(sql), close };
}

async function applyBaseline({ run }: Project): Promise<void> {
  for (const sql of migrations()) await run(sql);
}

describe('a project with the migrations from before 28 November 2026', () => {
  let fresh: Project;
  let catalog: string;

  beforeAll(async () => {
    fresh = await openProject();
    await applyBaseline(fresh);
    catalog = await fresh.run(CATALOG);
  });

  afterAll(() => fresh.close());

  test.each([
    ['20261124160000', OLD_TRANSITIONS],
    ['20261127100000', NEWER_TRANSITIONS],
  ])('up to %s gets the schema of a new one, and keeps every row', async (last, transitions) => {
    const project = await openProject();
    const applied = OLD_MIGRATIONS.filter(({ version }) => version <= last);
    for (const { sql } of applied) await project.run(sql);
    // The table in which the CLI lists what it has applied.
    await project.run(
      `create schema supabase_migrations;
       create table supabase_migrations.schema_migrations (version text primary key, statements text[], name text);
       insert into supabase_migrations.schema_migrations (version)
       values ${applied.map(({ version }) => `('${version}')`).join()}`,
    );
    await project.run(FILL + transitions);
    const rows = await project.run(ROWS);
    expect(TABLES.filter((table) => !rows.includes(`"${table}": [{`))).toEqual([]);

    await project.run(FORGET ?? 'the statement is missing');
    expect(await project.run('select count(*) from supabase_migrations.schema_migrations')).toBe('0');
    await applyBaseline(project);
    expect(await project.run(CATALOG)).toBe(catalog);
    expect(await project.run(ROWS)).toBe(rows);
    await project.close();
  });

  test('may run the files again, which keep a dropped policy, an added metric and every row', async () => {
    const project = await openProject();
    await applyBaseline(project);
    await project.run(FILL + NEWER_TRANSITIONS);
    await project.run(`select add_metrics('so2'); drop policy "Everyone adds readings" on data`);
    const before = [await project.run(CATALOG), await project.run(ROWS)];
    // Each file alone, then all in order.
    for (const sql of migrations().reverse()) await project.run(sql);
    await applyBaseline(project);
    expect([await project.run(CATALOG), await project.run(ROWS)]).toEqual(before);
    await project.close();
  });

  test('may run the files again after a lost right, a dropped table, and an older file', async () => {
    const project = await openProject();
    await applyBaseline(project);
    await project.run(FILL);
    for (const accident of [
      'revoke select, insert on data from anon; revoke select on slots, notes from anon',
      'drop table data cascade',
      OLD_MIGRATIONS.find(({ version }) => version === '20261124092000')?.sql ?? '',
    ]) {
      await project.run(accident);
      expect(await project.run(CATALOG)).not.toBe(catalog);
      await applyBaseline(project);
      expect(await project.run(CATALOG)).toBe(catalog);
    }
    // Nothing is left of the dropped readings.
    expect(await project.run(`select count(*) from slots, metric_slots, room_days, alert_progress`)).toBe(
      '0',
    );
    const posted = `select insert_readings('[{"co2": 612, "pm25": 3}]') -> 0 ->> 'outcome'`;
    expect(await project.run(posted)).toBe('stored');
    await project.close();
  });

  test('reads few rows of each sensor, even if one stopped long ago', async () => {
    const project = await openProject();
    await applyBaseline(project);
    await project.run(`alter table data disable trigger user; insert into data (co2, sensor, created_at)
      select 600, '', '2026-01-01Z'::timestamptz + n * interval '1 minute' from generate_series(1, 300000) n;
      insert into data (co2, sensor, created_at) values (400, 'stopped', '2026-01-01Z');
      analyze data`);
    for (const cost of [4, 1.1]) {
      const [, buffers = '0'] = /"Shared Hit Blocks": (\d+)/.exec(
        await project.run(
          `set random_page_cost = ${cost}; explain (analyze, buffers, format json) select * from sensors()`,
        ),
      ) as RegExpExecArray;
      // An index of the table has 3,900. With fewer rows, Postgres would choose the right one anyway.
      expect(Number(buffers)).toBeLessThan(250);
    }
    await project.close();
  });

  test('fix the search path of every function', async () => {
    // The body of a function without a string is bound to its tables when it is created.
    const open = `select string_agg(oid::regprocedure::text, ', ') from pg_proc
      where pronamespace = 'public'::regnamespace and prosqlbody is null and not coalesce(proconfig::text like '%search_path=%', false)`;
    expect(await fresh.run(open)).toMatch(/^(null|)$/);
  });

  test.each([
    ['an older project', () => OLD_MIGRATIONS[0]?.sql ?? ''],
    ['a table data of another origin', () => 'create table data (co2 numeric, voc numeric)'],
  ])('refuses %s', async (_, create) => {
    const project = await openProject();
    await project.run(create());
    await expect(applyBaseline(project)).rejects.toThrow(
      /the table data is of another origin, or lacks older migrations/,
    );
    await project.close();
  });
});
