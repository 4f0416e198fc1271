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

-- As with readings, the public key may read. Only the functions below change the tables.
revoke all on public.sensor_settings, public.sensor_aliases from anon, authenticated, service_role;
grant select on public.sensor_settings, public.sensor_aliases to anon, service_role;

-- Returns {"settings": {SENSOR: SETTINGS}, "aliases": {NAME: SENSOR}}.
create or replace function public.load_settings() returns jsonb
language sql
stable
set search_path = ''
as $$
  select jsonb_build_object(
    'settings', (select coalesce(jsonb_object_agg(sensor, settings), '{}') from public.sensor_settings),
    'aliases', (select coalesce(jsonb_object_agg(name, sensor), '{}') from public.sensor_aliases)
  )
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
    if conflicts > 0 then
      return jsonb_build_object('outcome', 'conflicts', 'conflicts', conflicts);
    end if;
  end if;

  if not is_taken then
    delete from public.sensor_settings where sensor in (of_sensor, new_name);
    insert into public.sensor_settings select new_name, new_settings where new_settings is not null;
  end if;
  if new_name = of_sensor then
    return '{"outcome": "changed"}';
  end if;

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

-- Gives the oldest readings of a sensor to another one, `at_most` of them, and returns their number. Triggers update the
-- history. Readings at times of the other sensor's stay.
create or replace function public.move_readings(of_sensor text, new_sensor text, at_most integer) returns integer
language plpgsql
security definer
set search_path = ''
set enable_seqscan = off
set jit = off
as $$
declare
  moved integer;
begin
  update public.data set sensor = new_sensor where id in (
    select id from public.data
    where data.sensor = of_sensor and not exists (
      select from public.data as other where other.sensor = new_sensor and other.created_at = data.created_at
    )
    order by created_at
    limit least(at_most, 10000)
  );
  get diagnostics moved = row_count;
  return moved;
end
$$;

-- By default, everyone may call a function.
revoke all on function public.load_settings(), public.is_sensor(text), public.change_sensor(text, text, jsonb, boolean),
  public.move_readings(text, text, integer)
  from public, anon, authenticated, service_role;
grant execute on function public.load_settings() to anon, service_role;
grant execute on function public.change_sensor(text, text, jsonb, boolean), public.move_readings(text, text, integer)
  to service_role;

-- Hosted projects reload their schema automatically.
notify pgrst, 'reload schema';
