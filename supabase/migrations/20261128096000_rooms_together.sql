-- The numbers of many sensors at once, for /rooms: one metric, from the five-minute slots.

-- Returns the slots with values of one metric of a sensor that begin from `since` on and before `until`.
create or replace function public.metric_slots_of(of_sensor text, of_metric text, since bigint, until bigint)
returns table (start bigint, "values" integer, sum numeric, lowest numeric, highest numeric, seconds integer)
language sql
stable
set search_path = ''
set enable_seqscan = off
as $$
  select slots.start, co2_values, co2_sum, co2_lowest, co2_highest, co2_seconds from public.slots
  where of_metric = 'co2' and sensor = of_sensor and slots.start >= since and slots.start < until and co2_values > 0
  union all
  select slots.start, voc_values, voc_sum, voc_lowest, voc_highest, voc_seconds from public.slots
  where of_metric = 'voc' and sensor = of_sensor and slots.start >= since and slots.start < until and voc_values > 0
  union all
  select other.start, other.values, other.sum, other.lowest, other.highest, other.seconds from public.metric_slots as other
  where sensor = of_sensor and metric = of_metric and other.start >= since and other.start < until and other.values > 0
$$;

-- Returns the averages of the steps with values, by sensor: [{"sensor", "averages": [[start, average], …]}, …]. Times are in
-- seconds since 1970, and `step` is a multiple of 300.
create or replace function public.room_averages(
  sensors text[], of_metric text, since bigint, until bigint, step integer
) returns jsonb
language plpgsql
stable
set search_path = ''
set jit = off
as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object('sensor', room, 'averages', averages)), '[]')
    from unnest(sensors) as room
    cross join lateral (
      select jsonb_agg(jsonb_build_array(n * step, average) order by n) as averages
      from (
        select slot.start / step as n, round(sum(slot.sum) / sum(slot.values), 2) as average
        from public.metric_slots_of(room, of_metric, since, until) as slot
        group by n
      ) as steps
    ) as line
    where averages is not null
  );
end
$$;

-- Returns one metric's numbers of sensors, each over its own span, from the whole slots that the span touches. The time in levels is
-- cut to the span: [{"sensor", "values", "sum", "lowest", "highest", "highest_at", "worst_hour", "seconds": {"good", …}}, …].
-- `bounds` are those of `level_of`, and `offsets` are the offsets of a time zone from UTC: [{"from", "to", "offset"}, …].
create or replace function public.room_totals(
  sensors text[], since bigint[], until bigint[], of_metric text, bounds jsonb, offsets jsonb
) returns jsonb
language plpgsql
stable
set search_path = ''
set enable_seqscan = off
set jit = off
set work_mem = '16MB'
as $$
declare
  low constant numeric := bounds ->> 'least';
  good constant numeric := bounds ->> 'good';
  moderate constant numeric := greatest(good, (bounds ->> 'moderate')::numeric);
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'sensor', room.sensor, 'values', total.values, 'sum', total.sum, 'lowest', total.lowest, 'highest', total.highest,
      'worst_hour', total.worst_hour,
      -- The first reading with this value, in the first slot that contains the value, or the slot if that was removed.
      'highest_at', coalesce((
        select floor(date_part('epoch', min(created_at)))::bigint from public.data
        where data.sensor = room.sensor and created_at >= to_timestamp(total.highest_slot)
          and created_at < to_timestamp(total.highest_slot + 300)
          and case of_metric when 'co2' then co2 when 'voc' then voc else public.other_value(data, of_metric) end
            = total.highest
      ), total.highest_slot),
      'seconds', jsonb_build_object('good', total.good, 'moderate', total.moderate, 'poor', total.poor)
    )), '[]')
    from unnest(sensors, since, until) as room (sensor, begun, ended)
    cross join lateral (
      with slot as materialized (
        select known.*, public.level_of(known.sum, known.values, low, good, moderate) as level,
          known.start + 300 > room.begun as is_inside,
          mod(known.start + coalesce((
            select (period ->> 'offset')::bigint from jsonb_array_elements(offsets) as period
            where known.start >= (period ->> 'from')::bigint and known.start < (period ->> 'to')::bigint
          ), 0), 86400) / 3600 as hour,
          greatest(0, least(known.start + known.seconds, room.ended) - greatest(known.start, room.begun)) as counted
        -- A slot before the span may count for time within the span.
        from public.metric_slots_of(room.sensor, of_metric, room.begun - 3900, room.ended) as known
      )
      select coalesce(sum(slot.values) filter (where is_inside), 0) as values, sum(slot.sum) filter (where is_inside) as sum,
        min(slot.lowest) filter (where is_inside) as lowest, max(slot.highest) filter (where is_inside) as highest,
        coalesce(sum(counted) filter (where level = 0), 0) as good,
        coalesce(sum(counted) filter (where level = 1), 0) as moderate,
        coalesce(sum(counted) filter (where level = 2), 0) as poor,
        (select hour from slot where is_inside group by hour order by sum(slot.sum) / sum(slot.values) desc, hour limit 1)
          as worst_hour,
        (select slot.start from slot where is_inside order by slot.highest desc, slot.start limit 1) as highest_slot
      from slot
    ) as total
    where total.values > 0 or total.good + total.moderate + total.poor > 0
  );
end
$$;

-- By default, everyone may call a function.
revoke all on function public.metric_slots_of(text, text, bigint, bigint),
  public.room_averages(text[], text, bigint, bigint, integer),
  public.room_totals(text[], bigint[], bigint[], text, jsonb, jsonb)
  from public, anon, authenticated, service_role;
grant execute on function public.metric_slots_of(text, text, bigint, bigint),
  public.room_averages(text[], text, bigint, bigint, integer),
  public.room_totals(text[], bigint[], bigint[], text, jsonb, jsonb)
  to anon, service_role;

notify pgrst, 'reload schema';
