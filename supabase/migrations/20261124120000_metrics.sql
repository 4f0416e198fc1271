-- Stores readings of any metric. To add another metric, run `select public.add_metrics('radon');` as a migration.
-- docs/decisions/0016-hosted-roll-ups.md has the reasons.

-- The sums over five minutes of the metrics besides CO2 and VOC, whose sums are in `slots`.
create table public.metric_slots (
  sensor text not null,
  metric text not null,
  -- As in `slots`.
  start bigint not null,
  values integer not null,
  sum numeric not null,
  lowest numeric not null,
  highest numeric not null,
  seconds integer not null default 300,
  primary key (sensor, metric, start)
) with (fillfactor = 90);

-- Only the triggers below change slots.
revoke all on public.metric_slots from anon, authenticated, service_role;
grant select on public.metric_slots to anon, service_role;
alter table public.metric_slots enable row level security;
create policy "Readers of readings read their sums" on public.metric_slots
  for select to anon using (exists (select from public.data));

-- The metrics besides CO2 and VOC.
create function public.other_metrics() returns text[] language sql immutable
return '{}'::text[];

-- Adds columns for metrics to the table of readings, without reading it, and replaces the functions that list the metrics
-- besides CO2 and VOC. Repeating it is harmless.
create function public.add_metrics(variadic names text[]) returns void
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
    continue when name = any (others);
    others := others || name;
    execute format('alter table public.data add column if not exists %I numeric', name);
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

alter table public.data drop constraint data_metric;
create trigger check_metrics before update on public.data for each row execute function public.time_reading();

-- Stores an array of {"co2", …, "created_at", "sensor"} and returns an outcome for each, in the same order:
-- {"outcome": "stored", "duplicate" or "conflict", "reading": the stored row}, or {"outcome": "rejected", "reason"}. Fails
-- if there is no column for one of `metrics`, because members without a column would be ignored.
drop function public.insert_readings(jsonb);
create function public.insert_readings(readings jsonb, metrics text[] default '{}') returns jsonb
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
        when (row.co2, row.voc, public.other_values(row::public.data))
          is not distinct from ((reading).co2, (reading).voc, public.other_values(reading)) then 'duplicate'
        else 'conflict'
      end,
      'reading', case
        when public.other_values(row::public.data) is null then jsonb_build_object(
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

-- Returns the newest reading of each sensor, with the metrics besides CO2 and VOC in `metrics`, and the time of its first
-- reading as `first_heard`. Jumps in the index from sensor to sensor, so the cost depends on the number of sensors, not of
-- readings.
drop function public.sensors();
create function public.sensors()
returns table (
  sensor text, id bigint, co2 numeric, voc numeric, created_at timestamptz, first_heard timestamptz, metrics jsonb
)
language sql
stable
set search_path = ''
as $$
  with recursive names as (
    (select data.sensor as name from public.data order by data.sensor limit 1)
    union all
    select (select data.sensor from public.data where data.sensor > name order by data.sensor limit 1)
    from names
    where name is not null
  )
  select name, (newest).id, (newest).co2, (newest).voc, (newest).created_at, first.created_at,
    jsonb_strip_nulls(to_jsonb(newest)) - array['sensor', 'id', 'co2', 'voc', 'created_at']
  from names
  cross join lateral (
    select data as newest from public.data where data.sensor = name order by data.created_at desc limit 1
  ) as last
  cross join lateral (
    select data.created_at from public.data where data.sensor = name order by data.created_at limit 1
  ) as first
  where name is not null
$$;

-- Computes the slots of a sensor that begin from `since` on and before `until`, from its readings.
create or replace function public.count_slots(of_sensor text, since bigint, until bigint) returns void
language sql
set search_path = ''
set enable_seqscan = off
as $$
  insert into public.slots
  select sensor, public.slot_of(created_at) as slot, count(*),
    count(co2), coalesce(sum(co2), 0), min(co2), max(co2),
    count(voc), coalesce(sum(voc), 0), min(voc), max(voc)
  from public.data
  where sensor = of_sensor and created_at >= to_timestamp(since) and created_at < to_timestamp(until)
  group by sensor, slot;

  insert into public.metric_slots
  select sensor, metric, public.slot_of(created_at) as slot, count(*), sum(value), min(value), max(value)
  from public.data
  cross join lateral unnest(public.other_metrics(), public.other_values(data)) as measured (metric, value)
  where sensor = of_sensor and created_at >= to_timestamp(since) and created_at < to_timestamp(until)
    and value is not null
  group by sensor, metric, slot
$$;

-- Like `time_slots`, for the table `metric_slots`.
create function public.time_metric_slots(sensors text[], since bigint[], until bigint[]) returns void
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
          and start >= lower(span) and start < upper(span)
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
      count(co2) as co2_values, coalesce(sum(co2), 0) as co2_sum, min(co2) as co2_lowest, max(co2) as co2_highest,
      count(voc) as voc_values, coalesce(sum(voc), 0) as voc_sum, min(voc) as voc_lowest, max(voc) as voc_highest,
      count(public.other_values(inserted::public.data)) as others
    from inserted
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
      select sensor, metric, public.slot_of(created_at) as start, count(*) as values, sum(value) as sum,
        min(value) as lowest, max(value) as highest
      from inserted
      cross join lateral unnest(public.other_metrics(), public.other_values(inserted::public.data))
        as measured (metric, value)
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
      where stored.values - added.values < 3
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
  ) as slots;
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
  return null;
end
$$;

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
  delete from public.slots;
  delete from public.metric_slots;
  for known in
    select sensor, public.slot_of(min(created_at)) as first, public.slot_of(max(created_at)) as last
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

-- Returns the level of an average: 0 is good, 1 moderate and 2 poor. An average below `low` is moderate. A bound that is null
-- has no effect.
create function public.level_of(total numeric, readings integer, low numeric, good numeric, moderate numeric)
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
create function public.measured_others(of_sensor text, since bigint, until bigint, limits jsonb)
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

-- These functions know only CO2 and VOC.
alter function public.history(text, bigint, bigint, integer, integer, jsonb) rename to core_history;
alter function public.summary(text, bigint, bigint, jsonb) rename to core_summary;

-- Returns the steps with readings of one sensor that begin from `since` on and before `until`, oldest first, as an array:
-- a project's row limit doesn't truncate one value. Times are in seconds since 1970. Steps of `step` seconds begin `phase`
-- later than at its multiples. `since` and `until` are beginnings of steps, and `phase` is a multiple of 300, or 0 if
-- `step` is less. `limits` has the bounds of `level_of` for each metric: {"co2": {"good", "moderate"}, …}. CO2 and VOC are
-- null without values; other metrics are left out.
create function public.history(
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
      where sensor = of_sensor and start > since - 300 and start < until
    ),
    parts as (
      -- A step of five minutes or more consists of whole slots.
      select metric, floor((start - phase)::float8 / step)::bigint as n, values, sum, lowest, highest, seconds, level
      from slot
      where step >= 300 and start >= since
      union all
      select metric, floor(floor(date_part('epoch', created_at)) / step)::bigint, 1, value, value, value, null, null
      from public.data
      cross join other
      cross join lateral (select public.other_value(data, metric) as value) as measured
      where step < 300 and sensor = of_sensor and value is not null
        and created_at >= to_timestamp(since) and created_at < to_timestamp(until)
      union all
      -- The duration of a slot belongs to the step of the slot's first value.
      select metric, floor(floor(date_part('epoch', created_at)) / step)::bigint, 0, null, null, null, seconds, level
      from slot
      cross join lateral (
        select created_at from public.data
        where sensor = of_sensor and created_at >= to_timestamp(start) and created_at < to_timestamp(start + 300)
          and public.other_value(data, metric) is not null
        order by created_at
        limit 1
      ) as first
      where step < 300 and created_at >= to_timestamp(since) and created_at < to_timestamp(until)
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

-- Returns the numbers of one sensor from `since` on and before `until`, in whole seconds since 1970, exact to the second:
-- {"readings", "co2", …}. Without values or time in a level, CO2 and VOC are null, and other metrics are left out. A metric is
-- {"values", "sum", "lowest", "highest", "lowest_at", "highest_at", "seconds": {"good", "moderate", "poor"},
-- "longest_not_good", "longest_poor"}. A longest stretch is {"from", "seconds"}, or null. `limits` is the same as for `history`.
create function public.summary(of_sensor text, since bigint, until bigint, limits jsonb) returns jsonb
language plpgsql
stable
set search_path = ''
set enable_seqscan = off
set jit = off
set work_mem = '16MB'
set plan_cache_mode = force_custom_plan
as $$
declare
  -- Whole slots of the span, from `first` on and before `last`. Readings before and after them are counted one by one.
  first constant bigint := least(until, (since + 299) / 300 * 300);
  last constant bigint := greatest(first, until / 300 * 300);
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
        select created_at, public.other_value(data, other.metric) as value
        from public.data
        where sensor = of_sensor and created_at >= to_timestamp(edge_begin) and created_at < to_timestamp(edge_end)
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
        and start + seconds > since
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
        -- The first reading with this value, in the first slot or second that contains the value.
        'lowest_at', (
          select floor(date_part('epoch', min(created_at)))::bigint from public.data
          where sensor = of_sensor and created_at >= to_timestamp(total.lowest_part)
            and created_at < to_timestamp(least(until, total.lowest_part + 300))
            and public.other_value(data, other.metric) = total.lowest
        ),
        'highest_at', (
          select floor(date_part('epoch', min(created_at)))::bigint from public.data
          where sensor = of_sensor and created_at >= to_timestamp(total.highest_part)
            and created_at < to_timestamp(least(until, total.highest_part + 300))
            and public.other_value(data, other.metric) = total.highest
        ),
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
revoke all on function public.add_metrics(text[]), public.other_metrics(), public.other_values(public.data),
  public.others_are_valid(public.data),
  public.other_value(public.data, text), public.store_readings(public.data[], bigint[]),
  public.insert_readings(jsonb, text[]), public.sensors(), public.time_metric_slots(text[], bigint[], bigint[]),
  public.level_of(numeric, integer, numeric, numeric, numeric),
  public.measured_others(text, bigint, bigint, jsonb), public.history(text, bigint, bigint, integer, integer, jsonb),
  public.summary(text, bigint, bigint, jsonb)
  from public, anon, authenticated, service_role;
grant execute on function public.other_metrics(), public.other_values(public.data),
  public.others_are_valid(public.data),
  public.other_value(public.data, text), public.store_readings(public.data[], bigint[]),
  public.insert_readings(jsonb, text[]), public.sensors(), public.level_of(numeric, integer, numeric, numeric, numeric),
  public.measured_others(text, bigint, bigint, jsonb),
  public.history(text, bigint, bigint, integer, integer, jsonb), public.summary(text, bigint, bigint, jsonb)
  to anon, service_role;

-- Hosted projects reload their schema automatically.
notify pgrst, 'reload schema';
