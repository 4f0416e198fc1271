-- `insert_readings` accepts at most 1,000 readings, and takes its locks in the same order as other changes.

-- Stores an array of {"co2", "voc", "created_at", "sensor"} and returns an outcome for each, in the same order:
-- {"outcome": "stored", "duplicate" or "conflict", "reading": the stored row}, or {"outcome": "rejected", "reason"}.
create or replace function public.insert_readings(readings jsonb) returns jsonb
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
begin
  -- A call with more readings would delay all others for too long.
  if jsonb_array_length(readings) > 1000 then
    raise program_limit_exceeded using message =
      format('%s readings are too many: send at most 1000 at a time', jsonb_array_length(readings));
  end if;

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
  -- Tries each half separately, to find the readings that violate a constraint.
  half := jsonb_array_length(readings) / 2;
  if half = 0 then
    return jsonb_build_array(jsonb_build_object('outcome', 'rejected', 'reason', sqlerrm));
  end if;
  return public.insert_readings(jsonb_path_query_array(readings, '$[0 to $end]', jsonb_build_object('end', half - 1)))
    || public.insert_readings(jsonb_path_query_array(readings, '$[$begin to last]', jsonb_build_object('begin', half)));
end
$$;
