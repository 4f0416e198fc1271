-- Returns `at_most` sensors whose names follow `after_sensor`, or the first ones, in the columns of `sensors`. Jumps in the
-- index from sensor to sensor, so a page costs the same however many sensors there are.
create function public.sensors_page(after_sensor text default null, at_most integer default 1000)
returns table (
  sensor text, id bigint, co2 numeric, voc numeric, created_at timestamptz, first_heard timestamptz, metrics jsonb
)
language sql
stable
set search_path = ''
-- A plan made for a small table would scan the whole table after it has grown.
set enable_seqscan = off
as $$
  with recursive names as (
    select 1 as number, case
      when after_sensor is null then (select data.sensor from public.data order by data.sensor limit 1)
      else (select data.sensor from public.data where data.sensor > after_sensor order by data.sensor limit 1)
    end as name
    union all
    select number + 1, (select data.sensor from public.data where data.sensor > name order by data.sensor limit 1)
    from names
    where name is not null and number < at_most
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

-- By default, everyone may call a function.
revoke all on function public.sensors_page(text, integer) from public, anon, authenticated;
grant execute on function public.sensors_page(text, integer) to anon, service_role;

-- Hosted projects reload their schema automatically.
notify pgrst, 'reload schema';
