-- Finds the slots around changed ones by index ranges. Before, the planner compared each changed span with all slots of the
-- sensor.

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

alter function public.add_to_slots() set jit = off;
alter function public.recount_slots() set jit = off;
alter function public.insert_readings(jsonb) set jit = off;
