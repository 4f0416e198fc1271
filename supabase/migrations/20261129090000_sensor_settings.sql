-- The settings of sensors, and their former names.

do $$
begin
  if to_regclass('public.sensor_settings') is not null then
    return;
  end if;

  -- A row for each sensor whose settings aren't the defaults. The server checks the members of `settings`.
  create table public.sensor_settings (
    sensor text primary key,
    settings jsonb not null
  );
  -- Readings that are posted under `name` belong to `sensor`.
  create table public.sensor_aliases (
    name text primary key,
    sensor text not null
  );
  create index sensor_aliases_sensor on public.sensor_aliases (sensor);

  alter table public.sensor_settings enable row level security;
  alter table public.sensor_aliases enable row level security;
  create policy "Everyone reads settings of sensors" on public.sensor_settings for select to anon using (true);
  create policy "Everyone reads former names of sensors" on public.sensor_aliases for select to anon using (true);
end
$$;

-- The sensors whose readings must be corrected again: those measured from `first` on and before `until`.
create table if not exists public.uncorrected_spans (
  sensor text primary key,
  first timestamptz not null,
  until timestamptz not null default 'infinity'
);
alter table public.uncorrected_spans enable row level security;
drop policy if exists "Everyone reads uncorrected spans" on public.uncorrected_spans;
create policy "Everyone reads uncorrected spans" on public.uncorrected_spans for select to anon using (true);
revoke all on public.uncorrected_spans from anon, authenticated, service_role;
grant select on public.uncorrected_spans to anon, service_role;

-- As with readings, the public key may read. Only the functions below change the tables.
revoke all on public.sensor_settings, public.sensor_aliases from anon, authenticated, service_role;
grant select on public.sensor_settings, public.sensor_aliases to anon, service_role;

-- Returns {"settings": {SENSOR: SETTINGS}, "aliases": {NAME: SENSOR}, "recomputing": [SENSOR]}.
create or replace function public.load_settings() returns jsonb
language sql
stable
set search_path = ''
as $$
  select jsonb_build_object(
    'settings', (select coalesce(jsonb_object_agg(sensor, settings), '{}') from public.sensor_settings),
    'aliases', (select coalesce(jsonb_object_agg(name, sensor), '{}') from public.sensor_aliases),
    'recomputing', (select coalesce(jsonb_agg(sensor), '[]') from public.uncorrected_spans)
  )
$$;

-- Returns a reading with the corrections of its sensor, and in `raw` the values that they change. Faulty values stay.
-- app/readings/correction.ts has the same rule.
create or replace function public.corrected(reading public.data) returns public.data
language plpgsql
stable
-- A project may hide the settings from the public key.
security definer
set search_path = ''
set enable_seqscan = off
as $$
declare
  corrections constant jsonb := (
    select settings -> 'corrections' from public.sensor_settings where sensor = reading.sensor
  );
  posted jsonb;
  changed jsonb;
begin
  if reading.raw is not null then
    reading := jsonb_populate_record(reading, reading.raw);
    reading.raw := null;
  end if;
  if jsonb_array_length(corrections) > 0 then
    select jsonb_object_agg(metric, value), jsonb_object_agg(metric, result) into posted, changed
    from (
      select distinct on (metric) metric, factor, "offset"
      from jsonb_to_recordset(corrections) as correction (metric text, factor numeric, "offset" numeric, "from" timestamptz)
      where "from" <= reading.created_at
      order by metric, "from" desc
    ) as correction
    cross join lateral (select public.measured(metric, (to_jsonb(reading) ->> metric)::numeric) as value) as measured
    cross join lateral (select trim_scale(round(factor * value + "offset", 6)) as result) as computed
    where result <> value;
    if posted is not null then
      reading := jsonb_populate_record(reading, changed || jsonb_build_object('raw', posted));
    end if;
  end if;
  return reading;
end
$$;

create or replace function public.use_corrections() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  return public.corrected(new);
end
$$;

-- Triggers run in the order of their names: this one after time_reading, which sets the time.
create or replace trigger use_corrections before insert or update on public.data
  for each row execute function public.use_corrections();

-- Returns the time of the first reading that a change of corrections touches; null if nothing changes.
create or replace function public.first_touched(before jsonb, after jsonb) returns timestamptz
language sql
stable
set search_path = ''
as $$
  with known as (select value from jsonb_array_elements(coalesce(before, '[]'))),
    next as (select value from jsonb_array_elements(coalesce(after, '[]')))
  select min((value ->> 'from')::timestamptz)
  from ((table known except table next) union all (table next except table known)) as changed
$$;

-- Corrects the newest readings of a sensor's uncorrected span, at most `at_most`. Triggers update the history.
create or replace function public.correct_newest(of_sensor text, at_most integer) returns void
language plpgsql
security definer
set search_path = ''
set enable_seqscan = off
set jit = off
as $$
declare
  span public.uncorrected_spans;
  ids bigint[];
  oldest timestamptz;
begin
  select * into span from public.uncorrected_spans where sensor = of_sensor for update;
  select array_agg(id), min(created_at) into ids, oldest
  from (
    select id, created_at from public.data
    where sensor = of_sensor and created_at >= span.first and created_at < span.until
    order by created_at desc
    limit at_most
  ) as newest;
  update public.data set raw = raw where id = any (ids) and public.corrected(data) is distinct from data;
  if coalesce(cardinality(ids), 0) < at_most then
    delete from public.uncorrected_spans where sensor = of_sensor;
  else
    update public.uncorrected_spans set until = oldest where sensor = of_sensor;
  end if;
end
$$;

-- Corrects readings of an uncorrected span, at most `at_most`. Returns true if others are left.
create or replace function public.correct_readings(at_most integer) returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- Takes the locks of all changes of readings, in their order (`insert_readings`).
  insert into public.data (co2) select null where false;
  perform public.correct_newest(sensor, least(at_most, 10000))
  from (select sensor from public.uncorrected_spans order by sensor limit 1) as next;
  return exists (select from public.uncorrected_spans);
end
$$;

-- Returns true if there are readings or notes of a sensor.
create or replace function public.is_sensor(name text) returns boolean
language sql
stable
set search_path = ''
set enable_seqscan = off
as $$
  select exists (select from public.data where sensor = name) or exists (select from public.notes where sensor = name)
$$;

-- Changes the settings of a sensor, which are null for the defaults, and its name. A merge gives the readings to the sensor
-- that has the name, which keeps its own settings. Returns {"outcome"}: changed, unknown, taken, or conflicts with their
-- number. After a change of the name, `move_readings` moves the readings.
create or replace function public.change_sensor(
  of_sensor text, new_name text, new_settings jsonb, is_merge boolean
) returns jsonb
language plpgsql
-- No role of the API may change the tables in any other way.
security definer
set search_path = ''
set enable_seqscan = off
as $$
declare
  is_taken constant boolean := new_name <> of_sensor and public.is_sensor(new_name);
  conflicts bigint;
  touched timestamptz;
begin
  -- Of two changes at the same time, one waits for the other.
  perform pg_advisory_xact_lock('public.sensor_settings'::regclass::oid::bigint);
  if not public.is_sensor(of_sensor) then
    return '{"outcome": "unknown"}';
  elsif is_taken and not is_merge then
    return '{"outcome": "taken"}';
  elsif is_taken then
    select count(*) into conflicts
    from public.data
    join public.data as other on other.sensor = new_name and other.created_at = data.created_at
    where data.sensor = of_sensor;
    -- Where readings were removed, slots of both sensors may have had readings of the same times.
    conflicts := conflicts + (
      select count(*) from public.slots
      join public.slots as other on other.sensor = new_name and other.start = slots.start
      where slots.sensor = of_sensor
        and slots.start < greatest(public.raw_start(of_sensor), public.raw_start(new_name))
    );
    if conflicts > 0 then
      return jsonb_build_object('outcome', 'conflicts', 'conflicts', conflicts);
    end if;
  end if;

  if not is_taken then
    touched := public.first_touched(
      (select settings -> 'corrections' from public.sensor_settings where sensor = of_sensor), new_settings -> 'corrections'
    );
    if touched is not null then
      -- `correct_readings` takes the lock of readings before that of a span, too.
      insert into public.data (co2) select null where false;
    end if;
    delete from public.sensor_settings where sensor in (of_sensor, new_name);
    insert into public.sensor_settings select new_name, new_settings where new_settings is not null;
  end if;
  if new_name = of_sensor then
    if touched is not null then
      insert into public.uncorrected_spans as known (sensor, first) values (of_sensor, touched)
      on conflict (sensor) do update set first = least(known.first, touched), until = 'infinity';
      perform public.correct_newest(of_sensor, 250);
    end if;
    return '{"outcome": "changed"}';
  end if;

  -- `move_readings` corrects each reading by the settings of its new sensor.
  delete from public.uncorrected_spans where sensor = of_sensor;
  if not is_taken then
    delete from public.raw_starts where sensor = new_name;
  end if;
  -- From here on, `move_readings` moves the slots of removed readings, and no trigger counts them again.
  insert into public.raw_starts as known
  select name, max(start) from public.raw_starts cross join unnest(array[of_sensor, new_name]) as name
  where sensor in (of_sensor, new_name) group by name
  on conflict (sensor) do update set start = excluded.start;
  delete from public.sensor_settings where sensor = of_sensor;
  delete from public.sensor_aliases where name = new_name;
  update public.sensor_aliases set sensor = new_name where sensor = of_sensor;
  insert into public.sensor_aliases values (of_sensor, new_name) on conflict (name) do update set sensor = new_name;
  update public.notes set sensor = new_name where sensor = of_sensor;
  if is_taken then
    -- Stop watching a sensor that gets no more readings.
    delete from public.alert_sensors where sensor = of_sensor;
    delete from public.room_days where sensor = of_sensor;
    return '{"outcome": "changed"}';
  end if;
  delete from public.room_days where sensor = new_name;
  update public.room_days set sensor = new_name where sensor = of_sensor;
  delete from public.alert_sensors where sensor = new_name;
  update public.alert_sensors set sensor = new_name where sensor = of_sensor;
  delete from public.alert_transitions as old using public.alert_transitions as moved
  where old.sensor = new_name and moved.sensor = of_sensor and old.at = moved.at and old.state = moved.state;
  update public.alert_transitions set sensor = new_name where sensor = of_sensor;
  update public.alert_messages set sensor = new_name where sensor = of_sensor;
  return '{"outcome": "changed"}';
end
$$;

-- Gives the oldest readings of a sensor to another one, `at_most` of them, and returns their number. Triggers update the history.
-- Before them come slots of removed readings, which count like readings. Readings at times of the other sensor's stay.
create or replace function public.move_readings(of_sensor text, new_sensor text, at_most integer) returns integer
language plpgsql
security definer
set search_path = ''
set enable_seqscan = off
set jit = off
as $$
declare
  most constant integer := least(at_most, 10000);
  raw_from constant bigint := public.raw_start(of_sensor);
  starts bigint[];
  moved integer;
begin
  select array_agg(start order by start) into starts from (
    select start from public.slots
    where sensor = of_sensor and start < raw_from and not exists (
      select from public.slots as other where other.sensor = new_sensor and other.start = slots.start
    )
    order by start limit most
  ) as old;
  if starts is not null then
    update public.slots set sensor = new_sensor where sensor = of_sensor and start = any (starts);
    update public.metric_slots set sensor = new_sensor where sensor = of_sensor and start = any (starts)
      and metric = any (public.other_metrics());
    perform public.time_slots(array[new_sensor], array[starts[1]], array[starts[cardinality(starts)] + 300]);
    perform public.time_metric_slots(array[new_sensor], array[starts[1]], array[starts[cardinality(starts)] + 300]);
  end if;
  update public.data set sensor = new_sensor where id in (
    select id from public.data
    where data.sensor = of_sensor and not exists (
      select from public.data as other where other.sensor = new_sensor and other.created_at = data.created_at
    )
    order by created_at
    limit most - coalesce(cardinality(starts), 0)
  );
  get diagnostics moved = row_count;
  moved := moved + coalesce(cardinality(starts), 0);
  if moved < most and not exists (select from public.data where sensor = of_sensor) then
    delete from public.raw_starts where sensor = of_sensor;
  end if;
  return moved;
end
$$;

-- By default, everyone may call a function.
revoke all on function public.load_settings(), public.is_sensor(text), public.change_sensor(text, text, jsonb, boolean),
  public.move_readings(text, text, integer), public.corrected(public.data), public.use_corrections(),
  public.first_touched(jsonb, jsonb), public.correct_newest(text, integer), public.correct_readings(integer)
  from public, anon, authenticated, service_role;
grant execute on function public.load_settings(), public.corrected(public.data) to anon, service_role;
grant execute on function public.change_sensor(text, text, jsonb, boolean), public.move_readings(text, text, integer),
  public.correct_readings(integer)
  to service_role;

-- Hosted projects reload their schema automatically.
notify pgrst, 'reload schema';
