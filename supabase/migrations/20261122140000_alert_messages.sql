-- Stores the time until which readings were watched, and returns messages that aren't about a single transition.

create table public.alert_watched (
  is_only boolean primary key default true check (is_only),
  until timestamptz not null,
  patience_ms bigint not null
);
revoke all on public.alert_watched from anon, authenticated, service_role;
alter table public.alert_watched enable row level security;

create index alert_messages_alone on public.alert_messages (number) where sensor is null;

-- Stores the time until which readings are watched. Returns the previous one as {"before": {"until", "patienceMs"}},
-- with null at first. Returns null if another server has the lease.
create function public.alert_watch(of_token bigint, at_time timestamptz, patience_ms bigint) returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  before jsonb;
begin
  if not public.alert_renew(of_token) then
    return null;
  end if;
  before := (
    select jsonb_build_object('until', until, 'patienceMs', watched.patience_ms) from public.alert_watched as watched
  );
  insert into public.alert_watched (until, patience_ms) values (at_time, alert_watch.patience_ms)
  on conflict (is_only) do update set until = excluded.until, patience_ms = excluded.patience_ms;
  return jsonb_build_object('before', before);
end
$$;

-- Returns the newest messages that aren't about a single transition, newest first, with their deliveries and the
-- newest attempts of each.
create function public.alert_recent_messages(at_most integer, attempts_at_most integer) returns jsonb
language sql
stable
security definer
set search_path = ''
set enable_seqscan = off
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', id, 'createdAt', created_at, 'event', event,
    'deliveries', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'messageId', alone.id, 'address', address, 'state', delivery.state,
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
      ) order by address collate "C"), '[]')
      from public.alert_deliveries as delivery
      where delivery.message = number
    )
  ) order by number desc), '[]')
  from (
    select * from public.alert_messages where sensor is null order by number desc limit at_most
  ) as alone
$$;

revoke all on function public.alert_watch(bigint, timestamptz, bigint),
  public.alert_recent_messages(integer, integer)
  from public, anon, authenticated, service_role;
grant execute on function public.alert_watch(bigint, timestamptz, bigint),
  public.alert_recent_messages(integer, integer)
  to service_role;

-- Hosted projects reload their schema automatically.
notify pgrst, 'reload schema';
