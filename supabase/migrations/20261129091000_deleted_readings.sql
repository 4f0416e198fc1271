-- Deleted readings, which are kept aside for a while.

do $$
begin
  if to_regclass('public.deletions') is not null then
    return;
  end if;

  -- `sensor` may be a former name. A row stays after its readings were given up, so that its `id` is still known.
  create table public.deletions (
    id text primary key,
    sensor text not null,
    kept_until timestamptz not null
  );
  create index deletions_sensor on public.deletions (sensor);
  -- The readings as they were: `reading` is the row of `data`.
  create table public.deleted_data (
    deletion text not null references public.deletions,
    id bigint not null,
    created_at timestamptz not null,
    reading jsonb not null,
    primary key (deletion, id)
  );

  -- Only the functions below reach the tables.
  revoke all on public.deletions, public.deleted_data from anon, authenticated, service_role;
  alter table public.deletions enable row level security;
  alter table public.deleted_data enable row level security;
end
$$;

-- Deletes the oldest selected readings of a sensor, `at_most` of them, keeps them for `of_deletion`, and returns their number.
-- Without a time or an id, all are selected. Triggers update the history. Returns null for a sensor without readings.
create or replace function public.delete_readings(
  of_deletion text, of_sensor text, since timestamptz, until timestamptz, of_id bigint, keep_until timestamptz, at_most integer
) returns integer
language plpgsql
-- No role of the API may delete readings in any other way.
security definer
set search_path = ''
set enable_seqscan = off
set jit = off
as $$
declare
  most constant integer := least(at_most, 10000);
  deleted integer;
begin
  if not exists (select from public.data where sensor = of_sensor)
    and not exists (select from public.deletions where id = of_deletion) then
    return null;
  end if;
  insert into public.deletions values (of_deletion, of_sensor, keep_until) on conflict (id) do nothing;
  if of_id is null then
    with gone as (
      delete from public.data where id in (
        select id from public.data
        where data.sensor = of_sensor
          and created_at >= coalesce(since, '-infinity') and created_at < coalesce(until, 'infinity')
        order by created_at
        limit most
      ) returning data.*
    )
    insert into public.deleted_data select of_deletion, gone.id, gone.created_at, to_jsonb(gone) from gone;
  else
    with gone as (
      delete from public.data where id = of_id and sensor = of_sensor returning data.*
    )
    insert into public.deleted_data select of_deletion, gone.id, gone.created_at, to_jsonb(gone) from gone;
  end if;
  get diagnostics deleted = row_count;
  if deleted < most then
    delete from public.deletions
    where id = of_deletion and not exists (select from public.deleted_data where deletion = of_deletion);
    -- A sensor without readings isn't watched.
    if not exists (select from public.data where sensor = of_sensor) then
      delete from public.alert_sensors where sensor = of_sensor;
      delete from public.room_days where sensor = of_sensor;
    end if;
  end if;
  return deleted;
end
$$;

-- Brings readings of a deletion back, `at_most` of them, to the sensor that has its name now. Returns {"outcome"}: unknown, expired,
-- or restored with the sensor and the number of readings. After the last ones, `remaining` is the number of those that stay deleted,
-- because the sensor has others at their times; before, it is null.
create or replace function public.restore_readings(of_deletion text, at_most integer) returns jsonb
language plpgsql
security definer
set search_path = ''
set enable_seqscan = off
set jit = off
as $$
declare
  most constant integer := least(at_most, 10000);
  known public.deletions;
  target text;
  restored integer;
  remaining bigint;
begin
  -- Of two calls at the same time, one waits for the other.
  select * into known from public.deletions where id = of_deletion for update;
  if known.id is null then
    return '{"outcome": "unknown"}';
  elsif known.kept_until <= now() then
    return '{"outcome": "expired"}';
  end if;
  target := coalesce((select sensor from public.sensor_aliases where name = known.sensor), known.sensor);
  with returned as (
    insert into public.data overriding system value
    select one.*
    from (
      select id, reading from public.deleted_data
      where deletion = of_deletion and not exists (
        select from public.data where data.sensor = target and data.created_at = deleted_data.created_at
      )
      order by id
      limit most
    ) as chosen
    cross join lateral jsonb_populate_record(
      null::public.data, chosen.reading || jsonb_build_object('sensor', target)
    ) as one
    on conflict do nothing
    returning id
  )
  delete from public.deleted_data using returned
  where deleted_data.deletion = of_deletion and deleted_data.id = returned.id;
  get diagnostics restored = row_count;
  if restored < most then
    select count(*) into remaining from public.deleted_data where deletion = of_deletion;
    if remaining = 0 then
      delete from public.deletions where id = of_deletion;
    end if;
  end if;
  return jsonb_build_object('outcome', 'restored', 'sensor', target, 'restored', restored, 'remaining', remaining);
end
$$;

-- Returns [{"restore", "deleted", "from", "to", "until"}] of the last `at_most` deletions of a sensor whose readings are kept.
create or replace function public.list_deletions(of_sensor text, at_most integer) returns jsonb
language sql
stable
security definer
set search_path = ''
set enable_seqscan = off
as $$
  select coalesce(jsonb_agg(to_jsonb(kept) order by until desc, restore), '[]')
  from (
    select deletions.id as restore, count(*) as deleted, min(created_at) as "from", max(created_at) as "to",
      kept_until as until
    from public.deletions
    join public.deleted_data on deletion = deletions.id
    where kept_until > now() and deletions.sensor in (
      select of_sensor union all select name from public.sensor_aliases where sensor_aliases.sensor = of_sensor
    )
    group by deletions.id
    order by kept_until desc, deletions.id
    limit at_most
  ) as kept
$$;

-- Gives up readings whose time is over, `at_most` of them, and returns their number. The call that gives up the last ones also
-- deletes the settings of sensors that have nothing else.
create or replace function public.give_up_readings(at_most integer) returns integer
language plpgsql
security definer
set search_path = ''
set enable_seqscan = off
set jit = off
as $$
declare
  most constant integer := least(at_most, 10000);
  gone text[];
  given_up integer;
begin
  gone := array(select distinct sensor from public.deletions where kept_until <= now());
  delete from public.deleted_data where (deletion, id) in (
    select deletion, deleted_data.id
    from public.deletions
    join public.deleted_data on deletion = deletions.id
    where kept_until <= now()
    limit most
  );
  get diagnostics given_up = row_count;
  if given_up < most and given_up > 0 then
    gone := array(
      select name from unnest(gone) as name
      where not public.is_sensor(name)
        and not exists (select from public.deletions where deletions.sensor = name and kept_until > now())
    );
    delete from public.sensor_settings where sensor = any (gone);
    delete from public.sensor_aliases where sensor = any (gone);
  end if;
  return given_up;
end
$$;

-- By default, everyone may call a function.
revoke all on function
  public.delete_readings(text, text, timestamptz, timestamptz, bigint, timestamptz, integer),
  public.restore_readings(text, integer), public.list_deletions(text, integer), public.give_up_readings(integer)
  from public, anon, authenticated, service_role;
grant execute on function
  public.delete_readings(text, text, timestamptz, timestamptz, bigint, timestamptz, integer),
  public.restore_readings(text, integer), public.list_deletions(text, integer), public.give_up_readings(integer)
  to service_role;

-- Hosted projects reload their schema automatically.
notify pgrst, 'reload schema';
