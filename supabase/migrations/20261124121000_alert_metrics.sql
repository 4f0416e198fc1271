-- Transitions also contain the values of the metrics besides CO2 and VOC.

alter table public.alert_transitions add column if not exists others jsonb not null default '{}';

-- Stores an `AlertChange` of app/store/alert-store.ts. Returns null, and stores nothing, if another server has the lease.
create or replace function public.alert_commit(of_token bigint, change jsonb) returns boolean
language plpgsql
security definer
set search_path = ''
-- A connection keeps its plans, which may have been made while the tables were small.
set enable_seqscan = off
as $$
begin
  if not public.alert_renew(of_token) then
    return null;
  end if;

  insert into public.alert_progress (cursor) values ((change ->> 'cursor')::bigint)
  on conflict (is_only) do update set cursor = excluded.cursor;

  insert into public.alert_sensors (sensor, air, told, told_at)
  select sensor, air, told, "toldAt"
  from jsonb_to_recordset(change -> 'sensors') as sent (sensor text, air jsonb, told text, "toldAt" timestamptz)
  on conflict (sensor) do update set air = excluded.air, told = excluded.told, told_at = excluded.told_at;

  delete from public.alert_transitions as known
  using jsonb_to_recordset(change -> 'withdrawn') as sent (sensor text, at timestamptz, "to" text)
  where known.sensor = sent.sensor and known.at = sent.at and known.state = sent."to"
    and not exists (
      select from public.alert_messages as message
      where message.sensor = known.sensor and message.at = known.at and message.state = known.state
    );
  update public.alert_transitions as known set is_withdrawn = true
  from jsonb_to_recordset(change -> 'withdrawn') as sent (sensor text, at timestamptz, "to" text)
  where known.sensor = sent.sensor and known.at = sent.at and known.state = sent."to";

  insert into public.alert_transitions (sensor, at, state, before, since, co2, voc, air, others)
  select value ->> 'sensor', (value ->> 'at')::timestamptz, value ->> 'to', value ->> 'from',
    (value ->> 'since')::timestamptz, (value ->> 'co2')::double precision, (value ->> 'voc')::double precision,
    value -> 'air', value - array['sensor', 'at', 'to', 'from', 'since', 'co2', 'voc', 'air']
  from jsonb_array_elements(change -> 'transitions') with ordinality as sent (value, n)
  order by n
  on conflict (sensor, at, state) do update set
    before = excluded.before, since = excluded.since, co2 = excluded.co2, voc = excluded.voc, air = excluded.air,
    others = excluded.others, is_withdrawn = false;

  with stored as (
    insert into public.alert_messages (id, created_at, sensor, at, state, event)
    select value ->> 'id', (value ->> 'createdAt')::timestamptz, value #>> '{transition, sensor}',
      (value #>> '{transition, at}')::timestamptz, value #>> '{transition, to}', value ->> 'event'
    from jsonb_array_elements(change -> 'messages') with ordinality as sent (value, n)
    order by n
    on conflict (id) do nothing
    returning number, id
  )
  insert into public.alert_deliveries (message, address)
  select distinct number, address
  from stored
  join jsonb_array_elements(change -> 'messages') as sent on sent ->> 'id' = id
  cross join jsonb_array_elements_text(sent -> 'addresses') as address;

  return true;
end
$$;

-- Returns a sensor's transitions from `since_time` on, preceded by the last earlier one. Leaves out withdrawn transitions.
create or replace function public.alert_transitions_since(of_sensor text, since_time timestamptz) returns jsonb
language sql
stable
security definer
set search_path = ''
set enable_seqscan = off
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'sensor', sensor, 'at', at, 'from', before, 'to', state, 'since', since, 'co2', co2, 'voc', voc, 'air', air
  ) || others order by at, id), '[]')
  from (
    (
      select * from public.alert_transitions
      where sensor = of_sensor and at < since_time and not is_withdrawn
      order by at desc, id desc
      limit 1
    )
    union all
    select * from public.alert_transitions
    where sensor = of_sensor and at >= since_time and not is_withdrawn
  ) as found
$$;

-- Returns the newest transitions of all sensors, newest first, with their deliveries and the newest attempts of each.
create or replace function public.alert_recent(at_most integer, attempts_at_most integer) returns jsonb
language sql
stable
security definer
set search_path = ''
set enable_seqscan = off
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'sensor', sensor, 'at', at, 'from', before, 'to', state, 'since', since, 'co2', co2, 'voc', voc,
    'isWithdrawn', is_withdrawn,
    'deliveries', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'messageId', message.id, 'address', address, 'state', delivery.state,
        'attempts', (
          select coalesce(jsonb_agg(jsonb_build_object(
            'at', attempt.at, 'outcome', outcome, 'answer', answer
          ) order by attempt.at), '[]')
          from (
            select * from public.alert_attempts
            where alert_attempts.message = number and alert_attempts.address = delivery.address
            order by at desc
            limit attempts_at_most
          ) as attempt
        )
      ) order by number, address collate "C"), '[]')
      from public.alert_messages as message
      join public.alert_deliveries as delivery on delivery.message = number
      where message.sensor = recent.sensor and message.at = recent.at and message.state = recent.state
    )
  ) || others order by at desc, id desc), '[]')
  from (select * from public.alert_transitions order by at desc, id desc limit at_most) as recent
$$;
