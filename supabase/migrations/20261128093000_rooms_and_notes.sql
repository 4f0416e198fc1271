-- People's notes about readings, and airboard's findings about rooms.

-- Returns true for a text of one line without spaces around it. These are the spaces that JavaScript's trim() removes.
create or replace function public.is_line(line text) returns boolean language sql immutable
return line !~ '[\u0001-\u001f\u007f-\u009f]'
  and line !~ '^[ \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]'
  and line !~ '[ \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]$';

do $$
begin
  if to_regclass('public.notes') is not null then
    return;
  end if;

  create table public.notes (
    id bigint generated always as identity primary key,
    -- Empty for the unnamed sensor. The sensor need not have readings.
    sensor text not null default '' constraint notes_sensor check (char_length(sensor) <= 64 and public.is_line(sensor)),
    begins_at timestamptz not null,
    -- Null for a moment.
    ends_at timestamptz constraint notes_order check (ends_at > begins_at),
    text text not null constraint notes_text check (char_length(text) between 1 and 200 and public.is_line(text)),
    constraint notes_times check (
      begins_at >= '2000-01-01T00:00:00Z' and coalesce(ends_at, begins_at) < '10000-01-01T00:00:00Z'
    )
  );
  create index notes_begins_at on public.notes (sensor, begins_at);

  alter table public.notes enable row level security;
  create policy "Everyone reads notes" on public.notes for select to anon using (true);
  -- To let only the server insert notes, drop this policy and set SUPABASE_SECRET_KEY on the server.
  create policy "Everyone adds notes" on public.notes for insert to anon with check (true);

  -- The findings about a room from a UTC day of a sensor's readings. `day` is in seconds since 1970. The server computes the
  -- findings again if the day's `key` has changed.
  create table public.room_days (
    sensor text not null,
    day bigint not null,
    key text not null,
    findings text not null,
    primary key (sensor, day)
  );

  -- Only the functions below reach the table.
  revoke all on public.room_days from anon, authenticated, service_role;
  alter table public.room_days enable row level security;
end
$$;

-- As with readings, the public key may read and insert. Deleting needs the secret key.
revoke all on public.notes from anon, authenticated, service_role;
grant select, insert (sensor, begins_at, ends_at, text) on public.notes to anon;
grant select, insert, delete on public.notes to service_role;

-- Returns the newest notes, oldest first, that end at or after `since` and begin before `until`. Without a sensor or a
-- time, all are selected.
create or replace function public.list_notes(of_sensor text, since timestamptz, until timestamptz, at_most integer) returns jsonb
language sql
stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(to_jsonb(newest) order by begins_at, id), '[]')
  from (
    select id, sensor, begins_at, ends_at, text
    from public.notes
    where (of_sensor is null or sensor = of_sensor)
      and (since is null or coalesce(ends_at, begins_at) >= since)
      and (until is null or begins_at < until)
    order by begins_at desc, id desc
    limit at_most
  ) as newest
$$;

-- Returns [{"sensor", "day", "key", "findings"}] of the first days from `since` on and before `until`.
create or replace function public.room_load(of_sensor text, since bigint, until bigint, at_most integer) returns jsonb
language sql
stable
security definer
set search_path = ''
set enable_seqscan = off
as $$
  select coalesce(jsonb_agg(to_jsonb(page) order by day), '[]')
  from (
    select * from public.room_days
    where sensor = of_sensor and day >= since and day < until
    order by day
    limit at_most
  ) as page
$$;

-- Stores an array of {"sensor", "day", "key", "findings"} and replaces known days. If a day occurs several times, the last
-- one counts. Days of sensors without readings are ignored.
create or replace function public.room_keep(days jsonb) returns void
language sql
security definer
set search_path = ''
set enable_seqscan = off
as $$
  insert into public.room_days as known (sensor, day, key, findings)
  -- Calls that run at the same time insert in the same order, so they can't deadlock.
  select distinct on (sensor, day) sensor, day, key, findings
  from (
    select value ->> 'sensor' as sensor, (value ->> 'day')::bigint as day, value ->> 'key' as key,
      value ->> 'findings' as findings, n
    from jsonb_array_elements(days) with ordinality as sent (value, n)
  ) as sent
  where exists (select from public.data where data.sensor = sent.sensor)
  order by sensor, day, n desc
  on conflict (sensor, day) do update set key = excluded.key, findings = excluded.findings
$$;

-- Deletes the oldest readings from before a time, `at_most` of them, and returns their number. Triggers update the history. Afterwards
-- deletes slots of removed readings, which count like readings. The call that deletes the last ones also deletes the notes that end
-- before that time, and the findings about days that end by then.
create or replace function public.prune_readings(before timestamptz, at_most integer) returns integer
language plpgsql
-- No role of the API may delete readings in any other way.
security definer
set search_path = ''
set enable_seqscan = off
set jit = off
as $$
declare
  most constant integer := least(at_most, 10000);
  until constant bigint := floor(date_part('epoch', before));
  deleted integer;
  raw record;
  starts bigint[];
begin
  delete from public.data where id in (
    select id from public.data where created_at < before order by created_at limit most
  );
  get diagnostics deleted = row_count;
  for raw in select sensor, start from public.raw_starts loop
    exit when deleted >= most;
    select array_agg(old.start) into starts from (
      select slots.start from public.slots
      where sensor = raw.sensor and slots.start < raw.start and slots.start + 300 <= until
      order by slots.start limit most - deleted
    ) as old;
    continue when starts is null;
    delete from public.slots where sensor = raw.sensor and slots.start = any (starts);
    delete from public.metric_slots using unnest(public.other_metrics()) as other
    where sensor = raw.sensor and metric = other and metric_slots.start = any (starts);
    perform public.time_slots(array[raw.sensor], array[until], array[until + 3900]);
    perform public.time_metric_slots(array[raw.sensor], array[until], array[until + 3900]);
    deleted := deleted + cardinality(starts);
  end loop;
  if deleted < most then
    delete from public.notes where coalesce(ends_at, begins_at) < before;
    delete from public.room_days where day + 86400 <= extract(epoch from before);
  end if;
  return deleted;
end
$$;

-- By default, everyone may call a function.
revoke all on function public.room_load(text, bigint, bigint, integer), public.room_keep(jsonb),
  public.prune_readings(timestamptz, integer)
  from public, anon, authenticated, service_role;
grant execute on function public.room_load(text, bigint, bigint, integer), public.room_keep(jsonb),
  public.prune_readings(timestamptz, integer)
  to service_role;

-- Hosted projects reload their schema automatically.
notify pgrst, 'reload schema';
