-- A reading gets a sensor and its own time, which identify it. One of its metrics may be unknown.
-- docs/decisions/0013-hosted-times-and-batches.md has the reasons.

alter table public.data
  -- Empty for the sensor that posts without a name. The spaces are those that JavaScript's trim() removes.
  add column sensor text not null default '' constraint data_sensor check (
    char_length(sensor) <= 64
    and sensor !~ '[\u0001-\u001f\u007f-\u009f]'
    and sensor !~ '^[ \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]'
    and sensor !~ '[ \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]$'
  ),
  alter column co2 drop not null,
  alter column voc drop not null,
  add constraint data_metric check (num_nonnulls(co2, voc) > 0),
  -- The trigger below sets the time.
  alter column created_at drop default;

-- Of several rows with the same time, each later one gets the next free microsecond: t(i) = max(t(i), t(i - 1) + 1).
update public.data
set created_at = timed.free
from (
  select id, max(created_at - n * interval '1 microsecond') over (order by n) + n * interval '1 microsecond' as free
  from (select id, created_at, row_number() over (order by created_at, id) as n from public.data) as numbered
) as timed
where data.id = timed.id and data.created_at <> timed.free;

-- This index also gives the newest readings of a sensor, and the results of `sensors`.
create unique index data_sensor_time on public.data (sensor, created_at);
-- This index gives a sensor's readings after an id.
create index data_sensor_id on public.data (sensor, id);

-- Gives a reading without a time the first microsecond from now on that its sensor has not used. Rejects other times before
-- 2000 or in the future.
create function public.time_reading() returns trigger
language plpgsql
set search_path = ''
-- A connection keeps its plans. A plan made for a small table would scan the whole table after it has grown.
set enable_seqscan = off
as $$
declare
  clock constant timestamptz := clock_timestamp();
begin
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

create trigger time_reading before insert on public.data for each row execute function public.time_reading();

-- Stores an array of {"co2", "voc", "created_at", "sensor"} and returns an outcome for each, in the same order:
-- {"outcome": "stored", "duplicate" or "conflict", "reading": the stored row}, or {"outcome": "rejected", "reason"}.
create function public.insert_readings(readings jsonb) returns jsonb
language plpgsql
set search_path = ''
set enable_seqscan = off
as $$
declare
  item record;
  known record;
  outcome text;
  outcomes jsonb[] := '{}';
begin
  -- Takes locks in order, because concurrent calls with the same readings in different orders would wait for each other.
  -- There are only 16, so a call with thousands of sensors can't use up the server's locks.
  perform pg_advisory_xact_lock('public.data'::regclass::oid::integer, bucket)
  from (
    select distinct hashtext(coalesce(value ->> 'sensor', '')) & 15 as bucket
    from jsonb_array_elements(readings)
    order by bucket
  ) as buckets;

  for item in
    select co2, voc, created_at, coalesce(sensor, '') as sensor
    from jsonb_to_recordset(readings) as sent (co2 numeric, voc numeric, created_at timestamptz, sensor text)
  loop
    begin
      loop
        -- Looks for the reading first, because a conflicting insert uses up an id, and open pages look for skipped ids.
        select id, data.co2, data.voc, data.created_at, data.sensor into known
        from public.data
        where data.sensor = item.sensor and data.created_at = item.created_at;
        if found then
          outcome := case when (known.co2, known.voc) is not distinct from (item.co2, item.voc)
            then 'duplicate' else 'conflict' end;
          exit;
        end if;
        insert into public.data (co2, voc, created_at, sensor)
        values (item.co2, item.voc, item.created_at, item.sensor)
        on conflict (sensor, created_at) do nothing
        returning id, data.co2, data.voc, data.created_at, data.sensor into known;
        if found then
          outcome := 'stored';
          exit;
        end if;
        -- Another client has inserted the reading meanwhile, and the next round finds it.
      end loop;
      outcomes := outcomes || jsonb_build_object('outcome', outcome, 'reading', to_jsonb(known));
    exception when integrity_constraint_violation or data_exception then
      outcomes := outcomes || jsonb_build_object('outcome', 'rejected', 'reason', sqlerrm);
    end;
  end loop;
  return to_jsonb(outcomes);
end
$$;

-- Returns the newest reading of each sensor, and the time of its first reading as `first_heard`. Jumps in the index from
-- sensor to sensor, so the cost depends on the number of sensors, not of readings.
create function public.sensors()
returns table (sensor text, id bigint, co2 numeric, voc numeric, created_at timestamptz, first_heard timestamptz)
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
  select name, newest.*, first.created_at
  from names
  cross join lateral (
    select data.id, data.co2, data.voc, data.created_at
    from public.data
    where data.sensor = name
    order by data.created_at desc
    limit 1
  ) as newest
  cross join lateral (
    select data.created_at from public.data where data.sensor = name order by data.created_at limit 1
  ) as first
  where name is not null
$$;

-- The trigger and the constraints check the inserts of every client.
grant insert (created_at, sensor) on public.data to anon;
-- By default, everyone may call a function.
revoke all on function public.time_reading(), public.insert_readings(jsonb), public.sensors()
  from public, anon, authenticated;
grant execute on function public.insert_readings(jsonb), public.sensors() to anon, service_role;

-- Hosted projects reload their schema automatically.
notify pgrst, 'reload schema';
