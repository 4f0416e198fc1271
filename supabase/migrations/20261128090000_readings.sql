-- The table of readings, the channel of new ones, and functions that store and list them.
--
-- Each file of this folder may run again: tables and policies stay as they are, rights are granted again, and functions are
-- replaced.

do $$
declare
  leftover text;
begin
  if to_regclass('public.data') is not null then
    if not exists (
      select from pg_attribute where attrelid = 'public.data'::regclass and attname = 'temperature'
    ) then
      raise exception 'the table data is of another origin, or lacks older migrations'
        using hint = 'See "Updating a project" in docs/supabase.md.';
    end if;
    return;
  end if;

  -- A reading is identified by its sensor and time. docs/decisions/0006-hosted-store.md has the reasons.
  create table public.data (
    id bigint generated always as identity primary key,
    -- The trigger below sets the time.
    created_at timestamptz not null,
    -- The range of a JSON number. numeric also accepts NaN and infinity, which sort above every number. 324 decimals are as
    -- many as the smallest JSON number needs. `numeric` allows 16,383, which take 32 kB a row: a few clients that read the
    -- history would use up the server's memory.
    co2 numeric
      constraint data_co2_finite check (abs(co2) <= 1.7976931348623157e308)
      constraint data_co2_decimals check (scale(co2) <= 324),
    voc numeric
      constraint data_voc_finite check (abs(voc) <= 1.7976931348623157e308)
      constraint data_voc_decimals check (scale(voc) <= 324),
    -- Empty for the sensor that posts without a name. The spaces are those that JavaScript's trim() removes.
    sensor text not null default '' constraint data_sensor check (
      char_length(sensor) <= 64
      and sensor !~ '[\u0001-\u001f\u007f-\u009f]'
      and sensor !~ '^[ \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]'
      and sensor !~ '[ \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]$'
    )
  );
  -- This index also gives the newest readings of a sensor, and the results of `sensors`.
  create unique index data_sensor_time on public.data (sensor, created_at);
  -- This index gives the readings of all sensors by time. Few readings have the same time, so sorting these by id costs
  -- little. The pages of a descending index would stay half empty. Ids are assigned in the order of commits, so the readings
  -- after an id are near the end of the primary key.
  create index data_time on public.data (created_at);

  alter table public.data enable row level security;
  create policy "Everyone reads readings" on public.data for select to anon using (true);
  -- To let only the server insert readings, drop this policy and set SUPABASE_SECRET_KEY on the server.
  create policy "Everyone adds readings" on public.data for insert to anon with check (true);

  -- Realtime sends changes of the tables in this publication. Only Supabase has it.
  if exists (select from pg_publication where pubname = 'supabase_realtime' and not puballtables) then
    alter publication supabase_realtime add table public.data;
  end if;

  -- The metrics besides CO2 and VOC. `add_metrics` replaces this function.
  create or replace function public.other_metrics() returns text[] language sql immutable
  return '{}'::text[];

  -- If a table data was dropped, these still describe its readings, and count its ids.
  drop table if exists public.slots, public.metric_slots cascade;
  foreach leftover in array array['room_days', 'alert_progress', 'raw_starts'] loop
    if to_regclass('public.' || leftover) is not null then
      execute format('truncate public.%I', leftover);
    end if;
  end loop;
end
$$;

-- `anon` is the role of the public key, which every browser receives: it may only read and insert readings. Older projects
-- grant everything on a new table by default, newer ones nothing. Without an insert grant on id no client can forge it. The
-- trigger and the constraints check the inserts of every client.
revoke all on public.data from anon, authenticated;
grant select, insert (co2, voc, created_at, sensor) on public.data to anon;
-- The role of the secret key, which only the server uses.
grant select, insert on public.data to service_role;

-- Adds columns for metrics to the table of readings, without reading it, and replaces the functions that list the metrics
-- besides CO2 and VOC. Repeating it is harmless. To add a metric, run `select public.add_metrics('so2');` as a migration.
-- docs/decisions/0006-hosted-store.md has the reasons.
create or replace function public.add_metrics(variadic names text[]) returns void
language plpgsql
set search_path = ''
as $$
declare
  name text;
  others text[] := public.other_metrics();
  columns text;
  fields text;
  cases text;
  absolutes text;
  scales text;
begin
  foreach name in array names loop
    if name <> all (others) then
      others := others || name;
      execute format('alter table public.data add column if not exists %I numeric', name);
    end if;
  end loop;
  foreach name in array others loop
    execute format('grant insert (%I) on public.data to anon', name);
  end loop;
  select string_agg(format('%I', other), ', '), string_agg(format('(reading).%I', other), ', '),
    string_agg(format('when %L then (reading).%I', other, other), ' '),
    string_agg(format('abs((reading).%I)', other), ', '), string_agg(format('scale((reading).%I)', other), ', ')
  into columns, fields, cases, absolutes, scales
  from unnest(others) as other;

  execute format(
    $sql$
      create or replace function public.other_metrics() returns text[] language sql immutable
      return %1$L::text[];

      -- Returns the values of a reading in the order of other_metrics; null if it has none.
      create or replace function public.other_values(reading public.data) returns numeric[] language sql immutable
      return case when num_nonnulls(%3$s) > 0 then array[%3$s] end;

      -- Returns null for a reading without other metrics.
      create or replace function public.others_are_valid(reading public.data) returns boolean language sql immutable
      return case when num_nonnulls(%3$s) > 0
        then greatest(%5$s) <= 1.7976931348623157e308 and greatest(%6$s) <= 324 end;

      create or replace function public.other_value(reading public.data, metric text) returns numeric
      language sql immutable
      return case metric %4$s end;

      -- Inserts the readings with these places, by one statement, and returns their ids.
      create or replace function public.store_readings(sent public.data[], places bigint[]) returns bigint[]
      language plpgsql
      set search_path = ''
      as $body$
      declare
        ids bigint[];
      begin
        with stored as (
          insert into public.data (co2, voc, created_at, sensor, %2$s)
          select co2, voc, created_at, sensor, %2$s
          from unnest(sent) with ordinality
          where ordinality = any (places)
          order by ordinality
          returning id
        )
        select array_agg(id order by id) into ids from stored;
        return ids;
      end
      $body$;
    $sql$,
    others, columns, fields, cases, absolutes, scales
  );
  notify pgrst, 'reload schema';
end
$$;

select public.add_metrics('voc_index', 'nox_index', 'pm25', 'pm10', 'temperature', 'humidity', 'pressure');

-- Of a corrected reading, the values that a correction has changed, as they were posted, such as {"co2": 464}.
alter table public.data add column if not exists raw jsonb;

-- Gives a reading without a time the first microsecond from now on that its sensor has not used. Rejects other times before
-- 2000 or in the future. Checks the other metrics like the constraints of CO2 and VOC. Constraints for them took a fourth of
-- the time of a post, because each statement would compile them.
create or replace function public.time_reading() returns trigger
language plpgsql
set search_path = ''
-- A connection keeps its plans. A plan made for a small table would scan the whole table after it has grown.
set enable_seqscan = off
as $$
declare
  clock constant timestamptz := clock_timestamp();
  are_valid constant boolean := public.others_are_valid(new);
begin
  if not are_valid then
    raise check_violation using message = format(
      'new row for relation "data" violates check constraint "data_%s_finite"',
      (
        select metric from unnest(public.other_metrics(), public.other_values(new)) as measured (metric, value)
        where abs(value) > 1.7976931348623157e308 or scale(value) > 324
        limit 1
      )
    );
  elsif are_valid is null and new.co2 is null and new.voc is null then
    raise check_violation using message = 'new row for relation "data" violates check constraint "data_metric"';
  end if;
  if tg_op = 'UPDATE' then
    return new;
  end if;

  if new.created_at is null then
    new.created_at := clock;
    while exists (select from public.data where sensor = new.sensor and created_at = new.created_at) loop
      new.created_at := new.created_at + interval '1 microsecond';
    end loop;
  elsif new.created_at < '2000-01-01T00:00:00Z' then
    raise check_violation using message = format('created_at %s is before 2000', new.created_at);
  elsif new.created_at > clock + interval '60 seconds' then
    raise check_violation using message =
      format('created_at %s is more than 60 s ahead of the database''s clock, %s', new.created_at, clock);
  end if;
  return new;
end
$$;

create or replace trigger time_reading before insert on public.data
  for each row execute function public.time_reading();
create or replace trigger check_metrics before update on public.data
  for each row execute function public.time_reading();

-- Serializes changes of readings. A deadlock is impossible, because there is one lock for all sensors, and every statement
-- takes it before it touches a row.
create or replace function public.lock_readings() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock('public.data'::regclass::oid::bigint);
  return null;
end
$$;

create or replace trigger lock_readings before insert or update or delete on public.data
  for each statement execute function public.lock_readings();

-- An older form, which a file from before 28 November 2026 creates if it is run again. The API refuses to choose between two.
drop function if exists public.insert_readings(jsonb);

create or replace function public.insert_readings(readings jsonb, metrics text[] default '{}') returns jsonb
language plpgsql
set search_path = ''
set enable_seqscan = off
-- Planning takes longer than storing a single reading.
set plan_cache_mode = force_generic_plan
set jit = off
as $$
declare
  sent public.data[];
  fresh bigint[];
  ids bigint[];
  half integer;
  metric text;
begin
  -- A call with more readings would delay all others for too long.
  if jsonb_array_length(readings) > 1000 then
    raise program_limit_exceeded using message =
      format('%s readings are too many: send at most 1000 at a time', jsonb_array_length(readings));
  end if;
  foreach metric in array metrics loop
    if metric <> all (public.other_metrics() || '{co2,voc}') then
      raise undefined_column using message = format('column data.%s does not exist', metric);
    end if;
  end loop;

  -- Known readings are looked up, so no other insert may run until the transaction ends. An insert of no rows takes the
  -- table's lock, and its trigger then takes the lock of readings. All changes take them in this order, so none can deadlock.
  insert into public.data (co2) select null where false;

  -- A reading without a sensor, or with null, belongs to the unnamed sensor.
  sent := array(
    select jsonb_populate_recordset(
      jsonb_populate_record(null::public.data, '{"sensor": ""}'), jsonb_strip_nulls(readings)
    )
  );

  -- Leaves out known readings, because a conflicting insert uses up an id, and open pages look for skipped ids.
  select array_agg(ordinality order by ordinality) into fresh
  from (
    select ordinality, reading.sensor, reading.created_at,
      row_number() over (partition by reading.sensor, reading.created_at order by ordinality) as occurrence
    from unnest(sent) with ordinality as reading
  ) as reading
  left join lateral (
    select id from public.data where data.sensor = reading.sensor and data.created_at = reading.created_at limit 1
  ) as known on true
  where reading.created_at is null or (occurrence = 1 and known.id is null);

  -- A single statement updates each slot only once.
  ids := public.store_readings(sent, fresh);

  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'outcome', case
        when stored.id is not null then 'stored'
        -- A reading comes again as it was posted, or as it was exported.
        when (row.co2, row.voc, public.other_values(row::public.data))
          is not distinct from ((reading).co2, (reading).voc, public.other_values(reading)) then 'duplicate'
        when (posted.co2, posted.voc, public.other_values(posted))
          is not distinct from ((reading).co2, (reading).voc, public.other_values(reading)) then 'duplicate'
        else 'conflict'
      end,
      'reading', case
        when row.raw is null and public.other_values(row::public.data) is null then jsonb_build_object(
          'id', row.id, 'co2', row.co2, 'voc', row.voc, 'created_at', row.created_at, 'sensor', row.sensor
        )
        else to_jsonb(row)
      end
    ) order by place), '[]')
    from (select unnest(sent) as reading, generate_series(1, cardinality(sent)) as place) as item
    left join unnest(fresh, ids) as stored (place, id) using (place)
    cross join lateral (
      select data.* from public.data where data.id = stored.id
      union all
      select data.* from public.data
      where stored.id is null and data.sensor = (reading).sensor and data.created_at = (reading).created_at
    ) as row
    cross join lateral jsonb_populate_record(row::public.data, coalesce(row.raw, '{}')) as posted
  );
exception when integrity_constraint_violation or data_exception then
  -- Tries each half separately, to find the readings that violate a constraint.
  half := jsonb_array_length(readings) / 2;
  if half = 0 then
    return jsonb_build_array(jsonb_build_object('outcome', 'rejected', 'reason', sqlerrm));
  end if;
  return public.insert_readings(jsonb_path_query_array(readings, '$[0 to $end]', jsonb_build_object('end', half - 1)))
    || public.insert_readings(jsonb_path_query_array(readings, '$[$begin to last]', jsonb_build_object('begin', half)));
end
$$;

-- Returns the newest reading of `at_most` sensors whose names follow `after_sensor`, or of the first ones, with the metrics
-- besides CO2 and VOC in `metrics`, and the time of its first reading as `first_heard`. Jumps in the index from sensor to
-- sensor, so the cost depends on the number of these sensors, not of all sensors or readings. The last two conditions aren't
-- equalities, because for `sensor = name` Postgres prefers the index of all readings by time, and then reads all those that are
-- newer than the last one of a sensor that has stopped.
create or replace function public.sensors_page(after_sensor text default null, at_most integer default 1000)
returns table (
  sensor text, id bigint, co2 numeric, voc numeric, created_at timestamptz, first_heard timestamptz, metrics jsonb
)
language sql
stable
set search_path = ''
-- A plan made for a small table would scan the whole table after it has grown.
set enable_seqscan = off
as $$
  with recursive names as (
    select 1 as number, case
      when after_sensor is null then (select data.sensor from public.data order by data.sensor limit 1)
      else (select data.sensor from public.data where data.sensor > after_sensor order by data.sensor limit 1)
    end as name
    union all
    select number + 1, (select data.sensor from public.data where data.sensor > name order by data.sensor limit 1)
    from names
    where name is not null and number < at_most
  )
  select name, (newest).id, (newest).co2, (newest).voc, (newest).created_at, first.created_at,
    jsonb_strip_nulls(to_jsonb(newest)) - array['sensor', 'id', 'co2', 'voc', 'created_at']
  from names
  cross join lateral (
    select data as newest from public.data where data.sensor <= name
    order by data.sensor desc, data.created_at desc limit 1
  ) as last
  cross join lateral (
    select data.created_at from public.data where data.sensor >= name order by data.sensor, data.created_at limit 1
  ) as first
  where name is not null
$$;

-- Returns all sensors, in the columns of `sensors_page`.
create or replace function public.sensors()
returns table (
  sensor text, id bigint, co2 numeric, voc numeric, created_at timestamptz, first_heard timestamptz, metrics jsonb
)
language sql
stable
set search_path = ''
as $$
  select * from public.sensors_page(at_most => 2147483647)
$$;

-- By default, everyone may call a function.
revoke all on function public.add_metrics(text[]), public.other_metrics(), public.other_values(public.data),
  public.others_are_valid(public.data), public.other_value(public.data, text),
  public.store_readings(public.data[], bigint[]), public.time_reading(), public.lock_readings(),
  public.insert_readings(jsonb, text[]), public.sensors_page(text, integer), public.sensors()
  from public, anon, authenticated, service_role;
grant execute on function public.other_metrics(), public.other_values(public.data),
  public.others_are_valid(public.data), public.other_value(public.data, text),
  public.store_readings(public.data[], bigint[]), public.insert_readings(jsonb, text[]),
  public.sensors_page(text, integer), public.sensors()
  to anon, service_role;

-- Hosted projects reload their schema automatically.
notify pgrst, 'reload schema';
