-- Sums of readings over five minutes, from which long histories are computed, and the functions that answer from them.
-- docs/decisions/0006-hosted-store.md has the reasons.

do $$
begin
  if to_regclass('public.slots') is not null then
    return;
  end if;

  -- Each post updates the current slot. While the slot's page has room, the update changes no index.
  create table public.slots (
    sensor text not null,
    -- In seconds since 1970, a multiple of 300.
    start bigint not null,
    readings integer not null,
    -- `sum` is exact: an average of averages would be wrong. `lowest` and `highest` are null without values.
    co2_values integer not null,
    co2_sum numeric not null,
    co2_lowest numeric,
    co2_highest numeric,
    voc_values integer not null,
    voc_sum numeric not null,
    voc_lowest numeric,
    voc_highest numeric,
    -- The seconds that the slot counts for its level, if it has values; docs/history.md has the rule. Levels aren't stored,
    -- because their thresholds are settings of the server.
    co2_seconds integer not null default 300,
    voc_seconds integer not null default 300,
    primary key (sensor, start)
  ) with (fillfactor = 90);

  -- The sums of the metrics besides CO2 and VOC.
  create table public.metric_slots (
    sensor text not null,
    metric text not null,
    -- As in `slots`.
    start bigint not null,
    values integer not null,
    sum numeric not null,
    -- Null if all values are faulty. The row stays, because an export has a column for each metric with rows.
    lowest numeric,
    highest numeric,
    seconds integer not null default 300,
    primary key (sensor, metric, start)
  ) with (fillfactor = 90);

  alter table public.slots enable row level security;
  alter table public.metric_slots enable row level security;
  -- A project that drops its policy for reading readings hides their sums too.
  create policy "Readers of readings read their sums" on public.slots
    for select to anon using (exists (select from public.data));
  create policy "Readers of readings read their sums" on public.metric_slots
    for select to anon using (exists (select from public.data));
end
$$;

-- The beginnings of UTC days, in seconds since 1970, before which only the slots of sensors are kept, except for some readings: the
-- first one, the newest one and late ones. These slots can't be counted again.
create table if not exists public.raw_starts (
  sensor text primary key,
  start bigint not null
);
alter table public.raw_starts enable row level security;
drop policy if exists "Readers of readings know which were removed" on public.raw_starts;
create policy "Readers of readings know which were removed" on public.raw_starts
  for select to anon using (exists (select from public.data));
revoke all on public.raw_starts from anon, authenticated, service_role;
grant select on public.raw_starts to anon, service_role;

-- Returns the time from `raw_starts`; a time before all readings if all are kept.
create or replace function public.raw_start(of_sensor text) returns bigint
language sql
stable
set search_path = ''
as $$
  select coalesce((select start from public.raw_starts where sensor = of_sensor), -62135596800)
$$;

-- In projects from before 29 November 2026, they can't be null.
alter table public.metric_slots alter column lowest drop not null, alter column highest drop not null;

-- Only the triggers below change slots.
revoke all on public.slots, public.metric_slots from anon, authenticated, service_role;
grant select on public.slots, public.metric_slots to anon, service_role;

-- Returns the beginning of the slot that a time lies in; null for an infinite time.
create or replace function public.slot_of("time" timestamptz) returns bigint
language sql
-- Postgres inlines this function, which then takes a tenth of the time. It wouldn't inline an `immutable` one, because
-- `date_part` isn't immutable.
stable
return case when isfinite("time") then floor(floor(date_part('epoch', "time")) / 300)::bigint * 300 end;

-- Returns a value; null if no working sensor reports it. The ranges are those of `plausible` in app/readings/metric-table.js. A metric
-- without a range here has no faulty values.
create or replace function public.measured(metric text, value numeric) returns numeric
language sql
immutable
return case metric
  when 'co2' then case when value between 300 and 40000 then value end
  when 'voc' then case when value between 0 and 65000 then value end
  when 'voc_index' then case when value between 1 and 500 then value end
  when 'nox_index' then case when value between 1 and 500 then value end
  when 'hcho' then case when value between 0 and 5000 then value end
  when 'co' then case when value between 0 and 10000 then value end
  when 'no2' then case when value between 0 and 20000 then value end
  when 'o3' then case when value between 0 and 20000 then value end
  when 'radon' then case when value between 0 and 100000 then value end
  when 'pm1' then case when value between 0 and 6000 then value end
  when 'pm25' then case when value between 0 and 6000 then value end
  when 'pm4' then case when value between 0 and 6000 then value end
  when 'pm10' then case when value between 0 and 6000 then value end
  when 'temperature' then case when value between -40 and 84.9 then value end
  when 'humidity' then case when value between 0 and 100 then value end
  when 'pressure' then case when value between 300 and 1100 then value end
  when 'noise' then case when value between 10 and 140 then value end
  when 'light' then case when value between 0 and 200000 then value end
  else value
end;

revoke all on function public.measured(text, numeric) from public, anon, authenticated, service_role;
grant execute on function public.measured(text, numeric) to anon, service_role;

-- Computes the slots of a sensor that begin from `since` on and before `until`, from its readings.
create or replace function public.count_slots(of_sensor text, since bigint, until bigint) returns void
language sql
set search_path = ''
set enable_seqscan = off
as $$
  insert into public.slots
  select sensor, public.slot_of(created_at) as slot, count(*),
    count(good_co2), coalesce(sum(good_co2), 0), min(good_co2), max(good_co2),
    count(good_voc), coalesce(sum(good_voc), 0), min(good_voc), max(good_voc)
  from public.data
  cross join lateral (select public.measured('co2', co2) as good_co2, public.measured('voc', voc) as good_voc) as core
  where sensor = of_sensor and created_at >= to_timestamp(since) and created_at < to_timestamp(until)
  group by sensor, slot;

  insert into public.metric_slots
  select sensor, metric, public.slot_of(created_at) as slot, count(good), coalesce(sum(good), 0), min(good), max(good)
  from public.data
  cross join lateral unnest(public.other_metrics(), public.other_values(data)) as other (metric, value)
  cross join lateral (select public.measured(metric, value) as good) as measurement
  where sensor = of_sensor and created_at >= to_timestamp(since) and created_at < to_timestamp(until)
    and value is not null
  group by sensor, metric, slot
$$;

-- Computes the durations of the slots in or near the changed spans. A slot's duration depends on slots up to 3,900 s
-- away.
create or replace function public.time_slots(sensors text[], since bigint[], until bigint[]) returns void
language sql
set search_path = ''
set enable_seqscan = off
-- Allows only nested loops, because any other join reads all slots.
set enable_hashjoin = off
set enable_mergejoin = off
-- JIT compilation would take most of the time.
set jit = off
as $$
  update public.slots
  set co2_seconds = timed.co2_seconds, voc_seconds = timed.voc_seconds
  from (
    select sensor, start, is_changed,
      case when co2_values < 3 and co2_after <= least(3900, 3 * co2_before) then co2_after else 300 end as co2_seconds,
      case when voc_values < 3 and voc_after <= least(3900, 3 * voc_before) then voc_after else 300 end as voc_seconds
    from (
      select sensor, start, co2_values, voc_values,
        start >= lower(span) + 3900 and start < upper(span) - 3900 as is_changed,
        start - max(start) filter (where co2_values > 0) over earlier as co2_before,
        start - max(start) filter (where voc_values > 0) over earlier as voc_before,
        min(start) filter (where co2_values > 0) over later - start as co2_after,
        min(start) filter (where voc_values > 0) over later - start as voc_after
      from (
        -- Merges overlapping spans.
        select sensor, unnest(range_agg(int8range(since - 7800, until + 7800))) as span
        from unnest(sensors, since, until) as changed (sensor, since, until)
        group by sensor
      ) as spans
      cross join lateral (
        select start, co2_values, voc_values
        from public.slots
        where slots.sensor = spans.sensor and start >= lower(span) and start < upper(span)
        -- Keeps the planner from turning the subquery into a join.
        offset 0
      ) as near
      window
        earlier as (partition by sensor order by start rows between unbounded preceding and 1 preceding),
        later as (partition by sensor order by start desc rows between unbounded preceding and 1 preceding)
    ) as paused
  ) as timed
  where is_changed and slots.sensor = timed.sensor and slots.start = timed.start
    and (slots.co2_seconds, slots.voc_seconds) is distinct from (timed.co2_seconds, timed.voc_seconds)
$$;

-- Like `time_slots`, for the table `metric_slots`.
create or replace function public.time_metric_slots(sensors text[], since bigint[], until bigint[]) returns void
language sql
set search_path = ''
set enable_seqscan = off
-- Allows only nested loops, because any other join reads all slots.
set enable_hashjoin = off
set enable_mergejoin = off
-- JIT compilation takes longer than everything else.
set jit = off
as $$
  update public.metric_slots
  set seconds = timed.seconds
  from (
    select sensor, metric, start, is_changed, known_seconds,
      case when values < 3 and after <= least(3900, 3 * before) then after else 300 end as seconds
    from (
      select sensor, metric, start, values, seconds as known_seconds,
        start >= lower(span) + 3900 and start < upper(span) - 3900 as is_changed,
        start - lag(start) over slots_in_order as before,
        lead(start) over slots_in_order - start as after
      from (
        -- Merges overlapping spans.
        select sensor, unnest(range_agg(int8range(since - 7800, until + 7800))) as span
        from unnest(sensors, since, until) as changed (sensor, since, until)
        group by sensor
      ) as spans
      cross join unnest(public.other_metrics()) as metric
      cross join lateral (
        select start, values, seconds
        from public.metric_slots
        where metric_slots.sensor = spans.sensor and metric_slots.metric = metric.metric
          and start >= lower(span) and start < upper(span) and values > 0
        -- Keeps the planner from turning the subquery into a join.
        offset 0
      ) as near
      window slots_in_order as (partition by sensor, metric, span order by start)
    ) as paused
  ) as timed
  where is_changed and known_seconds <> timed.seconds and metric_slots.sensor = timed.sensor
    and metric_slots.metric = timed.metric and metric_slots.start = timed.start
$$;

-- Adds the rows that a statement has inserted to their slots.
create or replace function public.add_to_slots() returns trigger
language plpgsql
-- No other role may change slots.
security definer
set search_path = ''
set enable_seqscan = off
set jit = off
as $$
declare
  sensors text[];
  hours bigint[];
  has_others boolean;
begin
  with added as (
    select sensor, public.slot_of(created_at) as start, count(*) as readings,
      count(good_co2) as co2_values, coalesce(sum(good_co2), 0) as co2_sum,
      min(good_co2) as co2_lowest, max(good_co2) as co2_highest,
      count(good_voc) as voc_values, coalesce(sum(good_voc), 0) as voc_sum,
      min(good_voc) as voc_lowest, max(good_voc) as voc_highest,
      count(public.other_values(inserted::public.data)) as others
    from inserted
    cross join lateral (select public.measured('co2', co2) as good_co2, public.measured('voc', voc) as good_voc) as core
    where isfinite(created_at)
    group by 1, 2
  ), stored as (
    insert into public.slots as known
    select sensor, start, readings, co2_values, co2_sum, co2_lowest, co2_highest,
      voc_values, voc_sum, voc_lowest, voc_highest
    from added
    on conflict (sensor, start) do update set
      readings = known.readings + excluded.readings,
      co2_values = known.co2_values + excluded.co2_values,
      co2_sum = known.co2_sum + excluded.co2_sum,
      co2_lowest = least(known.co2_lowest, excluded.co2_lowest),
      co2_highest = greatest(known.co2_highest, excluded.co2_highest),
      voc_values = known.voc_values + excluded.voc_values,
      voc_sum = known.voc_sum + excluded.voc_sum,
      voc_lowest = least(known.voc_lowest, excluded.voc_lowest),
      voc_highest = greatest(known.voc_highest, excluded.voc_highest)
    returning sensor, start, co2_values, voc_values
  )
  select array_agg(sensor), array_agg(hour), (select sum(others) > 0 from added)
  into sensors, hours, has_others
  from (
    select distinct sensor, start - mod(start, 3600) as hour
    from stored
    join added using (sensor, start)
    -- The duration of a slot that already had three values doesn't change.
    where (added.co2_values > 0 and stored.co2_values - added.co2_values < 3)
      or (added.voc_values > 0 and stored.voc_values - added.voc_values < 3)
  ) as changed;
  if sensors is not null then
    perform public.time_slots(sensors, hours, array(select hour + 3600 from unnest(hours) as hour));
  end if;

  if has_others then
    with added as (
      select sensor, metric, public.slot_of(created_at) as start, count(good) as values,
        coalesce(sum(good), 0) as sum, min(good) as lowest, max(good) as highest
      from inserted
      cross join lateral unnest(public.other_metrics(), public.other_values(inserted::public.data))
        as other (metric, value)
      cross join lateral (select public.measured(metric, value) as good) as measurement
      where isfinite(created_at) and value is not null
      group by 1, 2, 3
    ), stored as (
      insert into public.metric_slots as known
      select * from added
      on conflict (sensor, metric, start) do update set
        values = known.values + excluded.values,
        sum = known.sum + excluded.sum,
        lowest = least(known.lowest, excluded.lowest),
        highest = greatest(known.highest, excluded.highest)
      returning sensor, metric, start, values
    )
    select array_agg(sensor), array_agg(hour) into sensors, hours
    from (
      select distinct sensor, start - mod(start, 3600) as hour
      from stored
      join added using (sensor, metric, start)
      where added.values > 0 and stored.values - added.values < 3
    ) as changed;
    if sensors is not null then
      perform public.time_metric_slots(sensors, hours, array(select hour + 3600 from unnest(hours) as hour));
    end if;
  end if;
  return null;
end
$$;

-- Computes the slots of the rows that a statement has changed. They can't be updated, because a lowest or highest value
-- can't be subtracted.
create or replace function public.recount_slots() returns trigger
language plpgsql
security definer
set search_path = ''
set enable_seqscan = off
set jit = off
as $$
declare
  sensors text[];
  starts bigint[];
  ends bigint[];
begin
  select array_agg(sensor), array_agg(start), array_agg(start + 300) into sensors, starts, ends
  from (
    select distinct sensor, public.slot_of(created_at) as start from changed where isfinite(created_at)
  ) as slots
  where start >= public.raw_start(sensor);
  if sensors is null then
    return null;
  end if;

  delete from public.slots
  using unnest(sensors, starts) as changed (sensor, start)
  where slots.sensor = changed.sensor and slots.start = changed.start;
  delete from public.metric_slots
  using unnest(sensors, starts) as changed (sensor, start) cross join unnest(public.other_metrics()) as metric
  where metric_slots.sensor = changed.sensor and metric_slots.metric = metric.metric
    and metric_slots.start = changed.start;
  perform public.count_slots(sensor, start, start + 300) from unnest(sensors, starts) as changed (sensor, start);
  perform public.time_slots(sensors, starts, ends);
  perform public.time_metric_slots(sensors, starts, ends);
  return null;
end
$$;

create or replace function public.empty_slots() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- `truncate` would wait for readers of slots, which may wait for the table that is being emptied.
  delete from public.slots;
  delete from public.metric_slots;
  delete from public.raw_starts;
  return null;
end
$$;

create or replace trigger add_to_slots after insert on public.data
  referencing new table as inserted for each statement execute function public.add_to_slots();
create or replace trigger recount_old_slots after update on public.data
  referencing old table as changed for each statement execute function public.recount_slots();
create or replace trigger recount_new_slots after update on public.data
  referencing new table as changed for each statement execute function public.recount_slots();
create or replace trigger recount_slots after delete on public.data
  referencing old table as changed for each statement execute function public.recount_slots();
create or replace trigger empty_slots after truncate on public.data
  for each statement execute function public.empty_slots();

-- Computes all slots of a table that was filled without the triggers, and reports the progress. Inserts wait until it ends.
create or replace function public.rebuild_slots() returns void
language plpgsql
set search_path = ''
as $$
declare
  days constant integer := 30;
  known record;
  since bigint;
begin
  lock table public.data in share row exclusive mode;
  delete from public.slots where not exists (
    select from public.raw_starts as raw where raw.sensor = slots.sensor and raw.start > slots.start
  );
  delete from public.metric_slots where not exists (
    select from public.raw_starts as raw where raw.sensor = metric_slots.sensor and raw.start > metric_slots.start
  );
  for known in
    select sensor, greatest(public.slot_of(min(created_at)), public.raw_start(sensor)) as first,
      public.slot_of(max(created_at)) as last
    from public.data
    where isfinite(created_at)
    group by sensor
    order by sensor
  loop
    for since in select generate_series(known.first, known.last, days * 86400) loop
      perform public.count_slots(known.sensor, since, since + days * 86400);
      perform public.time_slots(array[known.sensor], array[since], array[since + days * 86400]);
      perform public.time_metric_slots(array[known.sensor], array[since], array[since + days * 86400]);
      raise notice 'Slots of sensor "%" until %: % %% computed', known.sensor,
        to_timestamp(least(since + days * 86400, known.last + 300)) at time zone 'UTC',
        least(100, 100 * (since - known.first + days * 86400) / (known.last - known.first + 300));
    end loop;
  end loop;
end
$$;

-- Refuses a reading of five minutes whose readings were removed: a known one would be counted twice.
create or replace function public.refuse_removed() returns trigger
language plpgsql
-- Roles that may only insert can't see slots.
security definer
set search_path = ''
set enable_seqscan = off
as $$
declare
  slot constant bigint := public.slot_of(new.created_at);
begin
  if slot < public.raw_start(new.sensor) and exists (
    select from public.slots
    where sensor = new.sensor and start = slot and readings > (
      select count(*) from public.data
      where data.sensor = new.sensor and created_at >= to_timestamp(slot) and created_at < to_timestamp(slot + 300)
    )
  ) then
    raise check_violation using message =
      'the readings of these five minutes were removed (RAW_DAYS), so airboard can''t tell if this one is new';
  end if;
  return new;
end
$$;

create or replace trigger refuse_removed before insert on public.data
  for each row when (new.created_at < now() - interval '1 day') execute function public.refuse_removed();

-- Removes raw readings whose slots are kept, `at_most` of them, and returns their number. `before` has the beginning of a UTC day for
-- each sensor, in seconds since 1970. A sensor's first and newest reading stay, and readings with higher ids than `up_to`.
create or replace function public.remove_raw(before jsonb, up_to bigint, at_most integer) returns integer
language plpgsql
-- No role of the API may delete readings in any other way.
security definer
set search_path = ''
set enable_seqscan = off
set jit = off
as $$
declare
  most constant integer := least(at_most, 10000);
  chosen record;
  ids bigint[];
  removed integer := 0;
begin
  for chosen in select key as sensor, value::bigint as start from jsonb_each_text(before) loop
    exit when removed >= most;
    -- Corrections in progress, and readings that can be brought back, will change the slots.
    continue when exists (select from public.uncorrected_spans where sensor = chosen.sensor)
      or exists (select from public.deleted_data where created_at < to_timestamp(chosen.start));
    select array_agg(id) into ids
    from (
      select id from public.data
      where sensor = chosen.sensor and id <= up_to and created_at < to_timestamp(chosen.start)
        and created_at > (select min(created_at) from public.data where sensor = chosen.sensor)
        and created_at < (select max(created_at) from public.data where sensor = chosen.sensor)
      order by created_at
      limit most - removed
    ) as old;
    continue when ids is null;
    insert into public.raw_starts as known values (chosen.sensor, chosen.start)
    on conflict (sensor) do update set start = greatest(known.start, excluded.start);
    -- The trigger leaves their slots alone.
    delete from public.data where id = any (ids);
    removed := removed + cardinality(ids);
  end loop;
  return removed;
end
$$;

-- Returns the times of `raw_starts` by sensor, and the newest id of a reading: {"starts": {SENSOR: START}, "newest": ID}.
create or replace function public.load_raw_starts() returns jsonb
language sql
stable
set search_path = ''
as $$
  select jsonb_build_object(
    'starts', (select coalesce(jsonb_object_agg(sensor, start), '{}') from public.raw_starts),
    'newest', (select coalesce(max(id), 0) from public.data)
  )
$$;

-- Returns the level of an average: 0 is good, 1 moderate and 2 poor. An average below `low` is moderate. A bound that is null
-- has no effect.
create or replace function public.level_of(total numeric, readings integer, low numeric, good numeric, moderate numeric)
returns integer
language sql
immutable
return case
  when total < low * readings then 1
  when (total < good * readings) is not false then 0
  when (total < moderate * readings) is not false then 1
  else 2
end;

-- Returns the metrics of `limits`, with their bounds, for which the sensor has rows in `metric_slots` from `since` on and
-- before `until`.
create or replace function public.measured_others(of_sensor text, since bigint, until bigint, limits jsonb)
returns table (metric text, low numeric, good numeric, moderate numeric)
language plpgsql
stable
set search_path = ''
set enable_seqscan = off
-- Planning takes longer than the query.
set plan_cache_mode = force_generic_plan
as $$
begin
  return query
    select key, (value ->> 'least')::numeric, (value ->> 'good')::numeric, (value ->> 'moderate')::numeric
    from jsonb_each(limits)
    where exists (
      select from public.metric_slots as slot
      where sensor = of_sensor and slot.metric = key and start >= since and start < until
    );
end
$$;

-- Like `history`, only for CO2 and VOC.
create or replace function public.core_history(
  of_sensor text, since bigint, until bigint, step integer, phase integer, limits jsonb
) returns jsonb
language plpgsql
stable
set search_path = ''
set enable_seqscan = off
-- JIT compilation takes longer than most queries.
set jit = off
-- Enough to sort the slots of a year in memory.
set work_mem = '16MB'
-- The lengths of spans differ too much for one plan.
set plan_cache_mode = force_custom_plan
as $$
declare
  co2_good constant numeric := limits #>> '{co2, good}';
  co2_moderate constant numeric := greatest(co2_good, (limits #>> '{co2, moderate}')::numeric);
  voc_good constant numeric := limits #>> '{voc, good}';
  voc_moderate constant numeric := greatest(voc_good, (limits #>> '{voc, moderate}')::numeric);
  raw_from constant bigint := public.raw_start(of_sensor);
begin
  return (
    with parts as (
      -- A step of five minutes or more consists of whole slots. Where readings were removed, a slot counts for the step in which it
      -- begins. `co2_slot_sum` and `co2_slot_values` determine their level.
      select floor((start - phase)::float8 / step)::bigint as n, readings,
        co2_values, co2_sum, co2_lowest, co2_highest, co2_sum as co2_slot_sum, co2_values as co2_slot_values,
        case when co2_values > 0 then co2_seconds end as co2_seconds,
        voc_values, voc_sum, voc_lowest, voc_highest, voc_sum as voc_slot_sum, voc_values as voc_slot_values,
        case when voc_values > 0 then voc_seconds end as voc_seconds, null::numeric as co2_fault
      from public.slots
      where (step >= 300 or start < raw_from) and sensor = of_sensor and start >= since and start < until
      union all
      select floor(floor(date_part('epoch', created_at)) / step)::bigint, 1,
        num_nonnulls(good_co2), good_co2, good_co2, good_co2, null, null, null,
        num_nonnulls(good_voc), good_voc, good_voc, good_voc, null, null, null,
        case when good_co2 is null then co2 end
      from public.data
      cross join lateral (select public.measured('co2', co2) as good_co2, public.measured('voc', voc) as good_voc) as core
      where step < 300 and sensor = of_sensor
        and created_at >= to_timestamp(greatest(since, raw_from)) and created_at < to_timestamp(until)
      union all
      -- The duration of a slot belongs to the step of the slot's first value.
      select floor(floor(date_part('epoch', created_at)) / step)::bigint, 0,
        0, null, null, null, case metric when 'co2' then co2_sum end, co2_values, case metric when 'co2' then co2_seconds end,
        0, null, null, null, case metric when 'voc' then voc_sum end, voc_values, case metric when 'voc' then voc_seconds end, null
      from public.slots
      cross join (values ('co2'), ('voc')) as metrics (metric)
      cross join lateral (
        select created_at from public.data
        where sensor = of_sensor and created_at >= to_timestamp(start) and created_at < to_timestamp(start + 300)
          and public.measured(metric, case metric when 'co2' then co2 else voc end) is not null
        order by created_at
        limit 1
      ) as first
      where step < 300 and slots.sensor = of_sensor and start > since - 300 and start >= raw_from and start < until
        and created_at >= to_timestamp(since) and created_at < to_timestamp(until)
    ),
    steps as (
      select n, sum(readings) as readings,
        sum(co2_values) as co2_values, sum(co2_sum) as co2_sum,
        min(co2_lowest) as co2_lowest, max(co2_highest) as co2_highest,
        coalesce(sum(co2_seconds), 0) as co2_seconds,
        coalesce(sum(co2_seconds) filter (where co2_slot_sum < co2_good * co2_slot_values), 0) as co2_good_seconds,
        coalesce(sum(co2_seconds) filter (where co2_slot_sum < co2_moderate * co2_slot_values), 0) as co2_other_seconds,
        sum(voc_values) as voc_values, sum(voc_sum) as voc_sum,
        min(voc_lowest) as voc_lowest, max(voc_highest) as voc_highest,
        coalesce(sum(voc_seconds), 0) as voc_seconds,
        coalesce(sum(voc_seconds) filter (where voc_slot_sum < voc_good * voc_slot_values), 0) as voc_good_seconds,
        coalesce(sum(voc_seconds) filter (where voc_slot_sum < voc_moderate * voc_slot_values), 0) as voc_other_seconds,
        count(co2_fault) as co2_faults, sum(co2_fault) as co2_fault_sum,
        min(co2_fault) as co2_fault_lowest, max(co2_fault) as co2_fault_highest
      from parts
      group by n
    )
    select coalesce(jsonb_agg(jsonb_build_object(
      'start', n * step + phase,
      'readings', readings,
      'co2', case when co2_values > 0 then jsonb_build_object(
        'values', co2_values, 'sum', co2_sum, 'lowest', co2_lowest, 'highest', co2_highest,
        'seconds', jsonb_build_object(
          'good', co2_good_seconds,
          'moderate', co2_other_seconds - co2_good_seconds,
          'poor', co2_seconds - co2_other_seconds
        )
      ) end,
      'voc', case when voc_values > 0 then jsonb_build_object(
        'values', voc_values, 'sum', voc_sum, 'lowest', voc_lowest, 'highest', voc_highest,
        'seconds', jsonb_build_object(
          'good', voc_good_seconds,
          'moderate', voc_other_seconds - voc_good_seconds,
          'poor', voc_seconds - voc_other_seconds
        )
      ) end
    ) || case when co2_faults > 0 then jsonb_build_object('co2_faults', jsonb_build_object(
      'values', co2_faults, 'sum', co2_fault_sum, 'lowest', co2_fault_lowest, 'highest', co2_fault_highest,
      'seconds', jsonb_build_object('good', 0, 'moderate', 0, 'poor', 0)
    )) else '{}' end order by n), '[]')
    from steps
  );
end
$$;

-- Returns the steps with readings of one sensor that begin from `since` on and before `until`, oldest first, as an array:
-- a project's row limit doesn't truncate one value. Times are in seconds since 1970. Steps of `step` seconds begin `phase`
-- later than at its multiples. `since` and `until` are beginnings of steps, and `phase` is a multiple of 300, or 0 if
-- `step` is less. `limits` has the bounds of `level_of` for each metric: {"co2": {"good", "moderate"}, …}. CO2 and VOC are
-- null without values; other metrics are left out. Steps shorter than a slot have the totals of faulty CO2 values in
-- `co2_faults`, if there are any.
create or replace function public.history(
  of_sensor text, since bigint, until bigint, step integer, phase integer, limits jsonb
) returns jsonb
language plpgsql
stable
set search_path = ''
set enable_seqscan = off
set jit = off
set work_mem = '16MB'
set plan_cache_mode = force_custom_plan
as $$
declare
  answer constant jsonb := public.core_history(of_sensor, since, until, step, phase, limits);
  raw_from constant bigint := public.raw_start(of_sensor);
begin
  -- Most sensors have none of the other metrics.
  if not exists (select from public.measured_others(of_sensor, since - 299, until, limits)) then
    return answer;
  end if;
  return (
    with other as materialized (
      select * from public.measured_others(of_sensor, since - 299, until, limits)
    ),
    slot as (
      select metric, start, values, sum, lowest, highest, seconds,
        public.level_of(sum, values, low, good, moderate) as level
      from public.metric_slots
      join other using (metric)
      where sensor = of_sensor and start > since - 300 and start < until and values > 0
    ),
    parts as (
      -- A step of five minutes or more consists of whole slots.
      select metric, floor((start - phase)::float8 / step)::bigint as n, values, sum, lowest, highest, seconds, level
      from slot
      where (step >= 300 or start < raw_from) and start >= since
      union all
      select metric, floor(floor(date_part('epoch', created_at)) / step)::bigint, 1, value, value, value, null, null
      from public.data
      cross join other
      cross join lateral (select public.measured(metric, public.other_value(data, metric)) as value) as measured
      where step < 300 and sensor = of_sensor and value is not null
        and created_at >= to_timestamp(greatest(since, raw_from)) and created_at < to_timestamp(until)
      union all
      -- The duration of a slot belongs to the step of the slot's first value.
      select metric, floor(floor(date_part('epoch', created_at)) / step)::bigint, 0, null, null, null, seconds, level
      from slot
      cross join lateral (
        select created_at from public.data
        where sensor = of_sensor and created_at >= to_timestamp(start) and created_at < to_timestamp(start + 300)
          and public.measured(metric, public.other_value(data, metric)) is not null
        order by created_at
        limit 1
      ) as first
      where step < 300 and start >= raw_from
        and created_at >= to_timestamp(since) and created_at < to_timestamp(until)
    ),
    totals as (
      select metric, n, jsonb_build_object(
        'values', sum(values), 'sum', sum(sum), 'lowest', min(lowest), 'highest', max(highest),
        'seconds', jsonb_build_object(
          'good', coalesce(sum(seconds) filter (where level = 0), 0),
          'moderate', coalesce(sum(seconds) filter (where level = 1), 0),
          'poor', coalesce(sum(seconds) filter (where level = 2), 0)
        )
      ) as total
      from parts
      group by metric, n
    )
    select coalesce(jsonb_agg(core || coalesce(metrics, '{}') order by n), '[]')
    from jsonb_array_elements(answer) as core
    cross join lateral (select floor(((core ->> 'start')::bigint - phase)::float8 / step)::bigint as n) as place
    left join (select n, jsonb_object_agg(metric, total) as metrics from totals group by n) as measured using (n)
  );
end
$$;

-- Like `summary`, only for CO2 and VOC.
create or replace function public.core_summary(of_sensor text, since bigint, until bigint, limits jsonb) returns jsonb
language plpgsql
stable
set search_path = ''
set enable_seqscan = off
set jit = off
set work_mem = '16MB'
set plan_cache_mode = force_custom_plan
as $$
declare
  raw_from constant bigint := public.raw_start(of_sensor);
  -- Whole slots of the span, from `first` on and before `last`. Readings before and after them are counted one by one. Where readings
  -- were removed, a slot counts if it begins in the span.
  first constant bigint := least(until, (since + 299) / 300 * 300);
  last constant bigint := case when until / 300 * 300 < raw_from then until else greatest(first, until / 300 * 300) end;
  all_readings bigint := 0;
  answer jsonb := '{}';
  metric text;
  good numeric;
  moderate numeric;
  total record;
  times record;
begin
  foreach metric in array array['co2', 'voc'] loop
    good := limits #>> array[metric, 'good'];
    moderate := greatest(good, (limits #>> array[metric, 'moderate'])::numeric);

    with parts as materialized (
      select start, readings,
        case metric when 'co2' then co2_values else voc_values end as values,
        case metric when 'co2' then co2_sum else voc_sum end as sum,
        case metric when 'co2' then co2_lowest else voc_lowest end as lowest,
        case metric when 'co2' then co2_highest else voc_highest end as highest
      from public.slots
      where sensor = of_sensor and start >= first and start < last
      union all
      select floor(date_part('epoch', created_at))::bigint, 1, num_nonnulls(value), value, value, value
      from (values (since, first), (last, until)) as edge (edge_begin, edge_end)
      cross join lateral (
        select created_at, public.measured(metric, case metric when 'co2' then co2 else voc end) as value
        from public.data
        where sensor = of_sensor and created_at >= to_timestamp(greatest(edge_begin, raw_from))
          and created_at < to_timestamp(edge_end)
      ) as reading
    ), extremes as (
      select coalesce(sum(parts.readings), 0) as readings, coalesce(sum(parts.values), 0) as values, sum(parts.sum) as sum,
        min(parts.lowest) as lowest, max(parts.highest) as highest
      from parts
    )
    select extremes.*,
      (select min(start) from parts where parts.lowest = extremes.lowest) as lowest_part,
      (select min(start) from parts where parts.highest = extremes.highest) as highest_part
    into total
    from extremes;
    all_readings := total.readings;

    with slot as materialized (
      select start, seconds,
        case when sum < good * values then 0 when sum < moderate * values then 1 else 2 end as level
      from (
        select start,
          case metric when 'co2' then co2_values else voc_values end as values,
          case metric when 'co2' then co2_sum else voc_sum end as sum,
          case metric when 'co2' then co2_seconds else voc_seconds end as seconds
        from public.slots
        -- A slot before the span may count for time within the span.
        where sensor = of_sensor and start > since - 3900 and start < until
      ) as known
      where values > 0 and start + seconds > since
    ), stretches as (
      -- Within a stretch, each slot begins where the one before it ends.
      select worst, greatest(min(start), since) as begun, least(max(start + seconds), until) as ended
      from (
        select worst, start, seconds,
          start + seconds - sum(seconds) over (partition by worst order by start) as stretch
        from slot
        join (values (1), (2)) as levels (worst) on level >= worst
      ) as bad
      group by worst, stretch
    ), longest as (
      select distinct on (worst) worst, begun, ended - begun as seconds
      from stretches
      order by worst, ended - begun desc, begun
    )
    select coalesce(sum(counted) filter (where level = 0), 0) as good,
      coalesce(sum(counted) filter (where level = 1), 0) as moderate,
      coalesce(sum(counted) filter (where level = 2), 0) as poor,
      (select jsonb_build_object('from', begun, 'seconds', seconds) from longest where worst = 1) as not_good,
      (select jsonb_build_object('from', begun, 'seconds', seconds) from longest where worst = 2) as longest_poor
    into times
    from (select level, least(start + seconds, until) - greatest(start, since) as counted from slot) as cut;

    answer := answer || jsonb_build_object(metric, case
      when total.values > 0 or times.good + times.moderate + times.poor > 0 then jsonb_build_object(
        'values', total.values, 'sum', total.sum, 'lowest', total.lowest, 'highest', total.highest,
        -- The first reading with this value, in the first slot or second that contains the value. Where that was removed, the slot.
        'lowest_at', coalesce((
          select floor(date_part('epoch', min(created_at)))::bigint from public.data
          where sensor = of_sensor and created_at >= to_timestamp(total.lowest_part)
            and created_at < to_timestamp(least(until, total.lowest_part + 300))
            and case metric when 'co2' then co2 else voc end = total.lowest
        ), total.lowest_part),
        'highest_at', coalesce((
          select floor(date_part('epoch', min(created_at)))::bigint from public.data
          where sensor = of_sensor and created_at >= to_timestamp(total.highest_part)
            and created_at < to_timestamp(least(until, total.highest_part + 300))
            and case metric when 'co2' then co2 else voc end = total.highest
        ), total.highest_part),
        'seconds', jsonb_build_object('good', times.good, 'moderate', times.moderate, 'poor', times.poor),
        'longest_not_good', times.not_good,
        'longest_poor', times.longest_poor
      )
    end);
  end loop;
  return answer || jsonb_build_object('readings', all_readings);
end
$$;

-- Returns the numbers of one sensor from `since` on and before `until`, in whole seconds since 1970, exact to the second:
-- {"readings", "co2", …}. Without values or time in a level, CO2 and VOC are null, and other metrics are left out. A metric is
-- {"values", "sum", "lowest", "highest", "lowest_at", "highest_at", "seconds": {"good", "moderate", "poor"},
-- "longest_not_good", "longest_poor"}. A longest stretch is {"from", "seconds"}, or null. `limits` is the same as for `history`.
create or replace function public.summary(of_sensor text, since bigint, until bigint, limits jsonb) returns jsonb
language plpgsql
stable
set search_path = ''
set enable_seqscan = off
set jit = off
set work_mem = '16MB'
set plan_cache_mode = force_custom_plan
as $$
declare
  raw_from constant bigint := public.raw_start(of_sensor);
  -- Whole slots of the span, from `first` on and before `last`. Readings before and after them are counted one by one. Where readings
  -- were removed, a slot counts if it begins in the span.
  first constant bigint := least(until, (since + 299) / 300 * 300);
  last constant bigint := case when until / 300 * 300 < raw_from then until else greatest(first, until / 300 * 300) end;
  answer jsonb := public.core_summary(of_sensor, since, until, limits);
  other record;
  total record;
  times record;
begin
  for other in select * from public.measured_others(of_sensor, since - 3899, until, limits) loop
    with parts as materialized (
      select start, values, sum, lowest, highest
      from public.metric_slots
      where sensor = of_sensor and metric = other.metric and start >= first and start < last
      union all
      select floor(date_part('epoch', created_at))::bigint, 1, value, value, value
      from (values (since, first), (last, until)) as edge (edge_begin, edge_end)
      cross join lateral (
        select created_at, public.measured(other.metric, public.other_value(data, other.metric)) as value
        from public.data
        where sensor = of_sensor and created_at >= to_timestamp(greatest(edge_begin, raw_from))
          and created_at < to_timestamp(edge_end)
      ) as reading
      where value is not null
    ), extremes as (
      select coalesce(sum(parts.values), 0) as values, sum(parts.sum) as sum, min(parts.lowest) as lowest,
        max(parts.highest) as highest
      from parts
    )
    select extremes.*,
      (select min(start) from parts where parts.lowest = extremes.lowest) as lowest_part,
      (select min(start) from parts where parts.highest = extremes.highest) as highest_part
    into total
    from extremes;

    with slot as materialized (
      select start, seconds, public.level_of(sum, values, other.low, other.good, other.moderate) as level
      from public.metric_slots
      -- A slot before the span may count for time within the span.
      where sensor = of_sensor and metric = other.metric and start > since - 3900 and start < until
        and start + seconds > since and values > 0
    ), stretches as (
      -- Within a stretch, each slot begins where the one before it ends.
      select worst, greatest(min(start), since) as begun, least(max(start + seconds), until) as ended
      from (
        select worst, start, seconds,
          start + seconds - sum(seconds) over (partition by worst order by start) as stretch
        from slot
        join (values (1), (2)) as levels (worst) on level >= worst
      ) as bad
      group by worst, stretch
    ), longest as (
      select distinct on (worst) worst, begun, ended - begun as seconds
      from stretches
      order by worst, ended - begun desc, begun
    )
    select coalesce(sum(counted) filter (where level = 0), 0) as good,
      coalesce(sum(counted) filter (where level = 1), 0) as moderate,
      coalesce(sum(counted) filter (where level = 2), 0) as poor,
      (select jsonb_build_object('from', begun, 'seconds', seconds) from longest where worst = 1) as not_good,
      (select jsonb_build_object('from', begun, 'seconds', seconds) from longest where worst = 2) as longest_poor
    into times
    from (select level, least(start + seconds, until) - greatest(start, since) as counted from slot) as cut;

    if total.values > 0 or times.good + times.moderate + times.poor > 0 then
      answer := answer || jsonb_build_object(other.metric, jsonb_build_object(
        'values', total.values, 'sum', total.sum, 'lowest', total.lowest, 'highest', total.highest,
        -- The first reading with this value, in the first slot or second that contains the value. Where that was removed, the slot.
        'lowest_at', coalesce((
          select floor(date_part('epoch', min(created_at)))::bigint from public.data
          where sensor = of_sensor and created_at >= to_timestamp(total.lowest_part)
            and created_at < to_timestamp(least(until, total.lowest_part + 300))
            and public.other_value(data, other.metric) = total.lowest
        ), total.lowest_part),
        'highest_at', coalesce((
          select floor(date_part('epoch', min(created_at)))::bigint from public.data
          where sensor = of_sensor and created_at >= to_timestamp(total.highest_part)
            and created_at < to_timestamp(least(until, total.highest_part + 300))
            and public.other_value(data, other.metric) = total.highest
        ), total.highest_part),
        'seconds', jsonb_build_object('good', times.good, 'moderate', times.moderate, 'poor', times.poor),
        'longest_not_good', times.not_good,
        'longest_poor', times.longest_poor
      ));
    end if;
  end loop;
  return answer;
end
$$;

-- By default, everyone may call a function.
revoke all on function public.slot_of(timestamptz), public.count_slots(text, bigint, bigint),
  public.time_slots(text[], bigint[], bigint[]), public.time_metric_slots(text[], bigint[], bigint[]),
  public.add_to_slots(), public.recount_slots(), public.empty_slots(), public.rebuild_slots(),
  public.level_of(numeric, integer, numeric, numeric, numeric), public.measured_others(text, bigint, bigint, jsonb),
  public.core_history(text, bigint, bigint, integer, integer, jsonb),
  public.history(text, bigint, bigint, integer, integer, jsonb), public.core_summary(text, bigint, bigint, jsonb),
  public.summary(text, bigint, bigint, jsonb), public.raw_start(text), public.refuse_removed(),
  public.remove_raw(jsonb, bigint, integer), public.load_raw_starts()
  from public, anon, authenticated, service_role;
grant execute on function public.level_of(numeric, integer, numeric, numeric, numeric),
  public.measured_others(text, bigint, bigint, jsonb),
  public.core_history(text, bigint, bigint, integer, integer, jsonb),
  public.history(text, bigint, bigint, integer, integer, jsonb), public.core_summary(text, bigint, bigint, jsonb),
  public.summary(text, bigint, bigint, jsonb), public.raw_start(text), public.load_raw_starts()
  to anon, service_role;
grant execute on function public.remove_raw(jsonb, bigint, integer) to service_role;

-- Readings may be older than the triggers.
select public.rebuild_slots() where not exists (select from public.slots);

-- Computes the slots again that count faulty values. Posts go on meanwhile: those to an old slot wait, and the slots of the last two
-- hours come last and take a moment.
do $$
declare
  recent constant bigint := public.slot_of(now()) - 7200;
  is_recent boolean;
  faulty record;
  since bigint;
  until bigint;
begin
  foreach is_recent in array array[false, true] loop
    if is_recent then
      perform pg_advisory_xact_lock('public.data'::regclass::oid::bigint);
    end if;
    for faulty in
      select sensor, unnest(range_agg(int8range(start, start + 300))) as span
      from (
        select sensor, start from public.slots
        where num_nonnulls(co2_lowest, co2_highest, voc_lowest, voc_highest) <> num_nonnulls(
          public.measured('co2', co2_lowest), public.measured('co2', co2_highest),
          public.measured('voc', voc_lowest), public.measured('voc', voc_highest)
        )
        union
        select sensor, start from public.metric_slots
        where num_nonnulls(lowest, highest) <> num_nonnulls(
          public.measured(metric, lowest), public.measured(metric, highest)
        )
      ) as slot
      where (start >= recent) = is_recent and start >= public.raw_start(sensor)
      group by sensor
    loop
      since := lower(faulty.span);
      until := upper(faulty.span);
      delete from public.slots where sensor = faulty.sensor and start >= since and start < until;
      delete from public.metric_slots using unnest(public.other_metrics()) as other
      where sensor = faulty.sensor and metric = other and start >= since and start < until;
      perform public.count_slots(faulty.sensor, since, until);
      perform public.time_slots(array[faulty.sensor], array[since], array[until]);
      perform public.time_metric_slots(array[faulty.sensor], array[since], array[until]);
    end loop;
  end loop;
end
$$;

-- Hosted projects reload their schema automatically.
notify pgrst, 'reload schema';
