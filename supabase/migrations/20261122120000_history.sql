-- Readings are inserted by one statement, which updates each slot once, and `history` answers from slots.
-- docs/decisions/0016-hosted-roll-ups.md has the reasons.

grant select on public.slots to anon, service_role;

-- A project that drops its policy for reading readings hides their sums too.
create policy "Readers of readings read their sums" on public.slots
  for select to anon using (exists (select from public.data));

-- Stores an array of {"co2", "voc", "created_at", "sensor"} and returns an outcome for each, in the same order:
-- {"outcome": "stored", "duplicate" or "conflict", "reading": the stored row}, or {"outcome": "rejected", "reason"}.
create or replace function public.insert_readings(readings jsonb) returns jsonb
language plpgsql
set search_path = ''
set enable_seqscan = off
-- Planning takes longer than storing a single reading.
set plan_cache_mode = force_generic_plan
as $$
declare
  sent public.data[];
  fresh bigint[];
  ids bigint[];
  outcomes jsonb := '[]';
  item jsonb;
begin
  -- Known readings are looked up, so no other insert may run until the transaction ends.
  perform pg_advisory_xact_lock('public.data'::regclass::oid::bigint);

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
  with stored as (
    insert into public.data (co2, voc, created_at, sensor)
    select co2, voc, created_at, sensor
    from unnest(sent) with ordinality
    where ordinality = any (fresh)
    order by ordinality
    returning id
  )
  select array_agg(id order by id) into ids from stored;

  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'outcome', case
        when stored.id is not null then 'stored'
        when (row.co2, row.voc) is not distinct from (reading.co2, reading.voc) then 'duplicate'
        else 'conflict'
      end,
      'reading', to_jsonb(row)
    ) order by ordinality), '[]')
    from unnest(sent) with ordinality as reading
    left join unnest(fresh, ids) as stored (ordinality, id) using (ordinality)
    cross join lateral (
      select data.id, data.co2, data.voc, data.created_at, data.sensor from public.data
      where data.id = stored.id
      union all
      select data.id, data.co2, data.voc, data.created_at, data.sensor from public.data
      where stored.id is null and data.sensor = reading.sensor and data.created_at = reading.created_at
    ) as row
  );
exception when integrity_constraint_violation or data_exception then
  -- Tries each reading separately, to find those that violate a constraint.
  if jsonb_array_length(readings) = 1 then
    return jsonb_build_array(jsonb_build_object('outcome', 'rejected', 'reason', sqlerrm));
  end if;
  for item in select value from jsonb_array_elements(readings) loop
    outcomes := outcomes || public.insert_readings(jsonb_build_array(item));
  end loop;
  return outcomes;
end
$$;

-- Returns the steps with readings of one sensor that begin from `since` on and before `until`, oldest first, as an array:
-- a project's row limit doesn't truncate one value. Times are in seconds since 1970. Steps of `step` seconds begin `phase`
-- later than at its multiples. `since` and `until` are beginnings of steps, and `phase` is a multiple of 300, or 0 if
-- `step` is less. `limits` is {"co2": {"good", "moderate"}, "voc": {"good", "moderate"}}.
create function public.history(
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
begin
  return (
    with parts as (
      -- A step of five minutes or more consists of whole slots. `co2_slot_sum` and `co2_slot_values` determine their level.
      select floor((start - phase)::float8 / step)::bigint as n, readings,
        co2_values, co2_sum, co2_lowest, co2_highest, co2_sum as co2_slot_sum, co2_values as co2_slot_values,
        case when co2_values > 0 then co2_seconds end as co2_seconds,
        voc_values, voc_sum, voc_lowest, voc_highest, voc_sum as voc_slot_sum, voc_values as voc_slot_values,
        case when voc_values > 0 then voc_seconds end as voc_seconds
      from public.slots
      where step >= 300 and sensor = of_sensor and start >= since and start < until
      union all
      select floor(floor(date_part('epoch', created_at)) / step)::bigint, 1,
        num_nonnulls(co2), co2, co2, co2, null, null, null,
        num_nonnulls(voc), voc, voc, voc, null, null, null
      from public.data
      where step < 300 and sensor = of_sensor
        and created_at >= to_timestamp(since) and created_at < to_timestamp(until)
      union all
      -- The duration of a slot belongs to the step of the slot's first value.
      select floor(floor(date_part('epoch', created_at)) / step)::bigint, 0,
        0, null, null, null, case metric when 'co2' then co2_sum end, co2_values, case metric when 'co2' then co2_seconds end,
        0, null, null, null, case metric when 'voc' then voc_sum end, voc_values, case metric when 'voc' then voc_seconds end
      from public.slots
      cross join (values ('co2'), ('voc')) as metrics (metric)
      cross join lateral (
        select created_at from public.data
        where sensor = of_sensor and created_at >= to_timestamp(start) and created_at < to_timestamp(start + 300)
          and case metric when 'co2' then co2 else voc end is not null
        order by created_at
        limit 1
      ) as first
      where step < 300 and slots.sensor = of_sensor and start > since - 300 and start < until
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
        coalesce(sum(voc_seconds) filter (where voc_slot_sum < voc_moderate * voc_slot_values), 0) as voc_other_seconds
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
    ) order by n), '[]')
    from steps
  );
end
$$;

revoke all on function public.history(text, bigint, bigint, integer, integer, jsonb) from public, anon, authenticated;
grant execute on function public.history(text, bigint, bigint, integer, integer, jsonb) to anon, service_role;

-- Hosted projects reload their schema automatically.
notify pgrst, 'reload schema';
