-- Computes the numbers of a span in one request. Before, it took a request per 1,000 slots.

-- Returns the numbers of one sensor from `since` on and before `until`, in whole seconds since 1970, exact to the second:
-- {"readings", "co2", "voc"}. A metric without values or time in a level is null; others are {"values", "sum", "lowest",
-- "highest", "lowest_at", "highest_at", "seconds": {"good", "moderate", "poor"}, "longest_not_good", "longest_poor"}. A
-- longest stretch is {"from", "seconds"}, or null. `limits` is the same as for `history`.
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
  -- Whole slots of the span, from `first` on and before `last`. Readings before and after them are counted one by one.
  first constant bigint := least(until, (since + 299) / 300 * 300);
  last constant bigint := greatest(first, until / 300 * 300);
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
        select created_at, case metric when 'co2' then co2 else voc end as value
        from public.data
        where sensor = of_sensor and created_at >= to_timestamp(edge_begin) and created_at < to_timestamp(edge_end)
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
        -- The first reading with this value, in the first slot or second that contains the value.
        'lowest_at', (
          select floor(date_part('epoch', min(created_at)))::bigint from public.data
          where sensor = of_sensor and created_at >= to_timestamp(total.lowest_part)
            and created_at < to_timestamp(least(until, total.lowest_part + 300))
            and case metric when 'co2' then co2 else voc end = total.lowest
        ),
        'highest_at', (
          select floor(date_part('epoch', min(created_at)))::bigint from public.data
          where sensor = of_sensor and created_at >= to_timestamp(total.highest_part)
            and created_at < to_timestamp(least(until, total.highest_part + 300))
            and case metric when 'co2' then co2 else voc end = total.highest
        ),
        'seconds', jsonb_build_object('good', times.good, 'moderate', times.moderate, 'poor', times.poor),
        'longest_not_good', times.not_good,
        'longest_poor', times.longest_poor
      )
    end);
  end loop;
  return answer || jsonb_build_object('readings', all_readings);
end
$$;

-- By default, everyone may call a function.
revoke all on function public.summary(text, bigint, bigint, jsonb) from public, anon, authenticated;
grant execute on function public.summary(text, bigint, bigint, jsonb) to anon, service_role;

-- Hosted projects reload their schema automatically.
notify pgrst, 'reload schema';
