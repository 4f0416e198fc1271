-- Limits the notifications of many sensors at once: only the newest message of each sensor waits, and messages about the
-- sensors known for longest go first.

-- The order in which sensors were first seen.
alter table public.alert_sensors add column number bigint generated always as identity;

-- `replaced` means that a newer message of the sensor, or a summary, was sent instead.
alter table public.alert_deliveries drop constraint alert_deliveries_state_check;
alter table public.alert_deliveries add check (state in ('pending', 'delivered', 'failed', 'replaced'));

-- Returns the messages that an address hasn't received. The event of a message without a transition names the sensor. A
-- summary names no sensor.
create function public.alert_pending(of_address text)
returns table (
  number bigint, id text, created_at timestamptz, event text, attempts integer, retry_at timestamptz, about text,
  state text, is_summary boolean
)
language sql
stable
set search_path = ''
as $$
  select number, message.id, message.created_at, message.event, attempts, retry_at,
    coalesce(message.sensor, case when not is_summary then sent ->> 'sensor' end, message.id),
    coalesce(message.state, sent ->> 'state'), is_summary
  from public.alert_deliveries as delivery
  join public.alert_messages as message on number = delivery.message
  cross join lateral (select case when sensor is null then event::jsonb end as sent) as parsed
  cross join lateral (select coalesce(sent ->> 'kind', '') = 'summary' as is_summary) as kind
  where delivery.address = of_address and delivery.state = 'pending'
$$;

-- Returns {"deliveries", "sensors", "states", "newest"} of a `Waiting` of app/store/alert-store.ts, after replacing
-- all but the newest message of each sensor. Returns null if another server has the lease; otherwise the lease lasts
-- long enough to send a message.
create function public.alert_waiting(of_token bigint, of_address text, at_most integer) returns jsonb
language plpgsql
security definer
set search_path = ''
set enable_seqscan = off
as $$
begin
  if not public.alert_renew(of_token) then
    return null;
  end if;
  update public.alert_deliveries as delivery set state = 'replaced'
  from (
    select number, row_number() over (partition by about order by number desc) as age
    from public.alert_pending(of_address)
  ) as pending
  where age > 1 and delivery.message = pending.number and delivery.address = of_address;
  return (
    with pending as materialized (
      select waiting.*, coalesce(known.number, 9007199254740991) as first_seen
      from public.alert_pending(of_address) as waiting
      left join public.alert_sensors as known on known.sensor = about
    )
    select jsonb_build_object(
      'deliveries', coalesce((
        select jsonb_agg(jsonb_build_object(
          'message', jsonb_build_object('id', id, 'createdAt', created_at, 'event', event),
          'address', of_address, 'attempts', attempts, 'retryAt', retry_at, 'firstSeen', first_seen,
          'isSummary', is_summary
        ) order by attempts > 0 desc, is_summary desc, first_seen, number)
        from (
          select * from pending order by attempts > 0 desc, is_summary desc, first_seen, number limit at_most
        ) as first
      ), '[]'),
      'sensors', count(*) filter (where not is_summary),
      'states', coalesce(jsonb_agg(distinct state) filter (where not is_summary), '[]'),
      'newest', coalesce(max(number), 0)
    )
    from pending
  );
end
$$;

-- Replaces the pending messages of an address, up to the number `newest`, by one summary, except those with the ids
-- `kept` and earlier summaries. Returns null if another server has the lease.
create function public.alert_summarize(of_token bigint, of_address text, kept jsonb, newest bigint, summary jsonb)
returns boolean
language plpgsql
security definer
set search_path = ''
set enable_seqscan = off
as $$
begin
  if not public.alert_renew(of_token) then
    return null;
  end if;
  with stored as (
    insert into public.alert_messages (id, created_at, event)
    values (summary ->> 'id', (summary ->> 'createdAt')::timestamptz, summary ->> 'event')
    on conflict (id) do nothing
    returning number
  )
  insert into public.alert_deliveries (message, address) select number, of_address from stored;
  update public.alert_deliveries as delivery set state = 'replaced'
  from public.alert_pending(of_address) as pending
  where delivery.message = pending.number and delivery.address = of_address
    and pending.number <= newest and not is_summary and not kept ? pending.id;
  return true;
end
$$;

revoke all on function public.alert_pending(text), public.alert_waiting(bigint, text, integer),
  public.alert_summarize(bigint, text, jsonb, bigint, jsonb)
  from public, anon, authenticated, service_role;
grant execute on function public.alert_waiting(bigint, text, integer),
  public.alert_summarize(bigint, text, jsonb, bigint, jsonb)
  to service_role;

-- Hosted projects reload their schema automatically.
notify pgrst, 'reload schema';
