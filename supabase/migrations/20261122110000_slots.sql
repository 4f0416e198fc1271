-- Sums of readings over five minutes, from which long histories are computed.
-- docs/decisions/0016-hosted-roll-ups.md has the reasons.

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
);

-- Only the triggers below change slots.
revoke all on public.slots from anon, authenticated, service_role;
alter table public.slots enable row level security;

-- Returns the beginning of the slot that a time lies in; null for an infinite time.
create function public.slot_of("time" timestamptz) returns bigint
language sql
-- Postgres inlines this function, which then takes a tenth of the time. It wouldn't inline an `immutable` one, because
-- `date_part` isn't immutable.
stable
return case when isfinite("time") then floor(floor(date_part('epoch', "time")) / 300)::bigint * 300 end;

-- Computes the slots of a sensor that begin from `since` on and before `until`, from its readings.
create function public.count_slots(of_sensor text, since bigint, until bigint) returns void
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
  group by sensor, slot
$$;

-- Computes the durations of the slots in or near the changed spans. A slot's duration depends on slots up to 3,900 s
-- away.
create function public.time_slots(sensors text[], since bigint[], until bigint[]) returns void
language sql
set search_path = ''
set enable_seqscan = off
as $$
  update public.slots
  set co2_seconds = timed.co2_seconds, voc_seconds = timed.voc_seconds
  from (
    select sensor, start, is_changed,
      case when co2_values < 3 and co2_after <= least(3900, 3 * co2_before) then co2_after else 300 end as co2_seconds,
      case when voc_values < 3 and voc_after <= least(3900, 3 * voc_before) then voc_after else 300 end as voc_seconds
    from (
      select sensor, start, is_changed, co2_values, voc_values,
        start - max(start) filter (where co2_values > 0) over earlier as co2_before,
        start - max(start) filter (where voc_values > 0) over earlier as voc_before,
        min(start) filter (where co2_values > 0) over later - start as co2_after,
        min(start) filter (where voc_values > 0) over later - start as voc_after
      from (
        select slots.sensor, start, co2_values, voc_values,
          bool_or(start >= span.since - 3900 and start < span.until + 3900) as is_changed
        from unnest(sensors, since, until) as span (sensor, since, until)
        join public.slots on slots.sensor = span.sensor
          and start >= span.since - 7800 and start < span.until + 7800
        group by slots.sensor, start
      ) as near
      window
        earlier as (partition by sensor order by start rows between unbounded preceding and 1 preceding),
        later as (partition by sensor order by start desc rows between unbounded preceding and 1 preceding)
    ) as paused
  ) as timed
  where is_changed and slots.sensor = timed.sensor and slots.start = timed.start
    and (slots.co2_seconds, slots.voc_seconds) is distinct from (timed.co2_seconds, timed.voc_seconds)
$$;

-- Serializes changes of readings. A deadlock is impossible, because there is one lock for all sensors, and every statement
-- takes it before it touches a row.
create function public.lock_readings() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock('public.data'::regclass::oid::bigint);
  return null;
end
$$;

-- Adds the rows that a statement has inserted to their slots.
create function public.add_to_slots() returns trigger
language plpgsql
-- No other role may change slots.
security definer
set search_path = ''
set enable_seqscan = off
as $$
declare
  sensors text[];
  hours bigint[];
begin
  with added as (
    select sensor, public.slot_of(created_at) as start, count(*) as readings,
      count(co2) as co2_values, coalesce(sum(co2), 0) as co2_sum, min(co2) as co2_lowest, max(co2) as co2_highest,
      count(voc) as voc_values, coalesce(sum(voc), 0) as voc_sum, min(voc) as voc_lowest, max(voc) as voc_highest
    from inserted
    where isfinite(created_at)
    group by 1, 2
  ), stored as (
    insert into public.slots as known
    select * from added
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
  select array_agg(sensor), array_agg(hour) into sensors, hours
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
  return null;
end
$$;

-- Computes the slots of the rows that a statement has changed. They can't be updated, because a lowest or highest value
-- can't be subtracted.
create function public.recount_slots() returns trigger
language plpgsql
security definer
set search_path = ''
set enable_seqscan = off
as $$
declare
  sensors text[];
  starts bigint[];
begin
  select array_agg(sensor), array_agg(start) into sensors, starts
  from (
    select distinct sensor, public.slot_of(created_at) as start from changed where isfinite(created_at)
  ) as slots;
  if sensors is null then
    return null;
  end if;

  delete from public.slots
  using unnest(sensors, starts) as changed (sensor, start)
  where slots.sensor = changed.sensor and slots.start = changed.start;
  perform public.count_slots(sensor, start, start + 300) from unnest(sensors, starts) as changed (sensor, start);
  perform public.time_slots(sensors, starts, array(select start + 300 from unnest(starts) as start));
  return null;
end
$$;

create function public.empty_slots() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- `truncate` would wait for readers of slots, which may wait for the table that is being emptied.
  delete from public.slots;
  return null;
end
$$;

create trigger lock_readings before insert or update or delete on public.data
  for each statement execute function public.lock_readings();
create trigger add_to_slots after insert on public.data
  referencing new table as inserted for each statement execute function public.add_to_slots();
create trigger recount_old_slots after update on public.data
  referencing old table as changed for each statement execute function public.recount_slots();
create trigger recount_new_slots after update on public.data
  referencing new table as changed for each statement execute function public.recount_slots();
create trigger recount_slots after delete on public.data
  referencing old table as changed for each statement execute function public.recount_slots();
create trigger empty_slots after truncate on public.data
  for each statement execute function public.empty_slots();

-- Computes all slots of a table that was filled without the triggers, and reports the progress. Inserts wait until it ends.
create function public.rebuild_slots() returns void
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
      raise notice 'Slots of sensor "%" until %: % %% computed', known.sensor,
        to_timestamp(least(since + days * 86400, known.last + 300)) at time zone 'UTC',
        least(100, 100 * (since - known.first + days * 86400) / (known.last - known.first + 300));
    end loop;
  end loop;
end
$$;

-- By default, everyone may call a function.
revoke all on function public.slot_of(timestamptz), public.count_slots(text, bigint, bigint),
  public.time_slots(text[], bigint[], bigint[]), public.lock_readings(), public.add_to_slots(), public.recount_slots(),
  public.empty_slots(), public.rebuild_slots()
  from public, anon, authenticated, service_role;

select public.rebuild_slots();
