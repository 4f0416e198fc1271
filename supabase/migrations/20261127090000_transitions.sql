-- Removes what was kept to judge late readings: the air after each transition, and transitions that such readings had
-- disproved.

delete from public.alert_transitions where is_withdrawn;
alter table public.alert_transitions drop column is_withdrawn, drop column air;
drop function public.alert_transitions_since(text, timestamptz);
-- A parameter gets another name, so that a server finds out at once whether this migration is applied.
drop function public.alert_commit(bigint, jsonb);

-- Stores an `AlertChange` of app/store/alert-store.ts. Returns null, and stores nothing, if another server has the lease.
create function public.alert_commit(of_token bigint, changes jsonb) returns boolean
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

  insert into public.alert_progress (cursor) values ((changes ->> 'cursor')::bigint)
  on conflict (is_only) do update set cursor = excluded.cursor;

  insert into public.alert_sensors (sensor, air, told, told_at)
  select sensor, air, told, "toldAt"
  from jsonb_to_recordset(changes -> 'sensors') as sent (sensor text, air jsonb, told text, "toldAt" timestamptz)
  on conflict (sensor) do update set air = excluded.air, told = excluded.told, told_at = excluded.told_at;

  insert into public.alert_transitions (sensor, at, state, before, since, co2, voc, others)
  select value ->> 'sensor', (value ->> 'at')::timestamptz, value ->> 'to', value ->> 'from',
    (value ->> 'since')::timestamptz, (value ->> 'co2')::double precision, (value ->> 'voc')::double precision,
    value - array['sensor', 'at', 'to', 'from', 'since', 'co2', 'voc']
  from jsonb_array_elements(changes -> 'transitions') with ordinality as sent (value, n)
  order by n
  on conflict (sensor, at, state) do update set
    before = excluded.before, since = excluded.since, co2 = excluded.co2, voc = excluded.voc,
    others = excluded.others;

  with stored as (
    insert into public.alert_messages (id, created_at, sensor, at, state, event)
    select value ->> 'id', (value ->> 'createdAt')::timestamptz, value #>> '{transition, sensor}',
      (value #>> '{transition, at}')::timestamptz, value #>> '{transition, to}', value ->> 'event'
    from jsonb_array_elements(changes -> 'messages') with ordinality as sent (value, n)
    order by n
    on conflict (id) do nothing
    returning number, id
  )
  insert into public.alert_deliveries (message, address)
  select distinct number, address
  from stored
  join jsonb_array_elements(changes -> 'messages') as sent on sent ->> 'id' = id
  cross join jsonb_array_elements_text(sent -> 'addresses') as address;

  return true;
end
$$;

-- Returns a sensor's newest transition; null if there is none.
create function public.alert_last_transition(of_sensor text) returns jsonb
language sql
stable
security definer
set search_path = ''
set enable_seqscan = off
as $$
  select jsonb_build_object(
    'sensor', sensor, 'at', at, 'from', before, 'to', state, 'since', since, 'co2', co2, 'voc', voc
  ) || others
  from public.alert_transitions
  where sensor = of_sensor
  order by at desc, id desc
  limit 1
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

-- Removes up to `at_most` transitions, and as many completed messages, from before a time. A sensor's last transition
-- stays. Returns the number of removed rows; null if another server has the lease.
create or replace function public.alert_prune(of_token bigint, before_time timestamptz, at_most integer) returns integer
language plpgsql
security definer
set search_path = ''
set enable_seqscan = off
as $$
declare
  transitions integer;
  messages integer;
begin
  if not public.alert_renew(of_token) then
    return null;
  end if;
  delete from public.alert_transitions where id in (
    select id from public.alert_transitions as old
    where at < before_time and exists (
      select from public.alert_transitions as later
      where later.sensor = old.sensor and (later.at, later.id) > (old.at, old.id)
    )
    order by at
    limit at_most
  );
  get diagnostics transitions = row_count;
  delete from public.alert_messages where number in (
    select number from public.alert_messages
    where created_at < before_time and not exists (
      select from public.alert_deliveries where message = number and alert_deliveries.state = 'pending'
    )
    order by created_at
    limit at_most
  );
  get diagnostics messages = row_count;
  return transitions + messages;
end
$$;

-- By default, everyone may call a function.
revoke all on function public.alert_commit(bigint, jsonb), public.alert_last_transition(text)
  from public, anon, authenticated, service_role;
grant execute on function public.alert_commit(bigint, jsonb), public.alert_last_transition(text) to service_role;

-- Hosted projects reload their schema automatically.
notify pgrst, 'reload schema';
