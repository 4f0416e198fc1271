-- The state of each sensor for notifications, and the outbox. Only the secret key can reach them, through functions.
-- docs/decisions/0010-notifications.md has the reasons.

do $$
begin
  if to_regclass('public.alert_lease') is not null then
    return;
  end if;

  -- The server that judges and delivers. `token` counts the holders, to distinguish a former holder from the current
  -- one.
  create table public.alert_lease (
    is_only boolean primary key default true check (is_only),
    holder uuid not null,
    token bigint not null,
    seconds integer not null,
    until timestamptz not null
  );

  -- All readings up to the id `cursor` are judged.
  create table public.alert_progress (
    is_only boolean primary key default true check (is_only),
    cursor bigint not null
  );

  -- The time until which readings were watched.
  create table public.alert_watched (
    is_only boolean primary key default true check (is_only),
    until timestamptz not null,
    patience_ms bigint not null
  );

  create table public.alert_sensors (
    sensor text primary key,
    air jsonb not null,
    told text not null,
    told_at timestamptz,
    -- The order in which sensors were first seen.
    number bigint generated always as identity
  );

  -- `before` and `state` are the states before and after a transition.
  create table public.alert_transitions (
    id bigint generated always as identity primary key,
    sensor text not null,
    at timestamptz not null,
    state text not null,
    before text not null,
    since timestamptz not null,
    co2 double precision,
    voc double precision,
    -- The values of the metrics besides CO2 and VOC.
    others jsonb not null default '{}',
    unique (sensor, at, state)
  );
  create index alert_transitions_at on public.alert_transitions (at, id);

  -- `number` is the order of sending. `sensor`, `at` and `state` identify the transition that a message is about.
  create table public.alert_messages (
    number bigint generated always as identity primary key,
    id text not null unique,
    created_at timestamptz not null,
    sensor text,
    at timestamptz,
    state text,
    event text not null
  );
  create index alert_messages_created_at on public.alert_messages (created_at);
  create index alert_messages_transition on public.alert_messages (sensor, at, state) where sensor is not null;
  create index alert_messages_alone on public.alert_messages (number) where sensor is null;

  create table public.alert_deliveries (
    message bigint not null references public.alert_messages on delete cascade,
    address text not null,
    -- `replaced` means that a newer message of the sensor, or a summary, was sent instead.
    state text not null default 'pending' check (state in ('pending', 'delivered', 'failed', 'replaced')),
    attempts integer not null default 0,
    retry_at timestamptz,
    primary key (message, address)
  );
  create index alert_deliveries_pending on public.alert_deliveries (address, message) where state = 'pending';

  create table public.alert_attempts (
    message bigint not null,
    address text not null,
    at timestamptz not null,
    outcome text not null,
    answer text not null,
    primary key (message, address, at),
    foreign key (message, address) references public.alert_deliveries on delete cascade
  );

  -- Only the functions below reach the tables.
  revoke all on public.alert_lease, public.alert_progress, public.alert_watched, public.alert_sensors,
    public.alert_transitions, public.alert_messages, public.alert_deliveries, public.alert_attempts
    from anon, authenticated, service_role;
  alter table public.alert_lease enable row level security;
  alter table public.alert_progress enable row level security;
  alter table public.alert_watched enable row level security;
  alter table public.alert_sensors enable row level security;
  alter table public.alert_transitions enable row level security;
  alter table public.alert_messages enable row level security;
  alter table public.alert_deliveries enable row level security;
  alter table public.alert_attempts enable row level security;
end
$$;

-- Removes what only earlier versions used, such as transitions that a late reading had disproved.
do $$
begin
  if exists (
    select from pg_attribute
    where attrelid = 'public.alert_transitions'::regclass and attname = 'is_withdrawn' and not attisdropped
  ) then
    delete from public.alert_transitions where is_withdrawn;
    alter table public.alert_transitions drop column is_withdrawn, drop column air;
    -- A parameter has got another name.
    drop function public.alert_commit(bigint, jsonb);
  end if;
  drop function if exists public.alert_transitions_since(text, timestamptz), public.alert_next_delivery(bigint, text);
end
$$;

-- Gives a server the lease for some seconds. Returns its token, which stays the same until another server gets the
-- lease; null while another server has it.
create or replace function public.alert_hold(of_holder uuid, lease_seconds integer) returns bigint
language sql
security definer
set search_path = ''
as $$
  insert into public.alert_lease as lease (holder, token, seconds, until)
  values (of_holder, 1, lease_seconds, clock_timestamp() + lease_seconds * interval '1 second')
  on conflict (is_only) do update set
    holder = excluded.holder,
    token = lease.token + (lease.holder <> excluded.holder)::integer,
    seconds = excluded.seconds,
    until = excluded.until
  where lease.holder = excluded.holder or lease.until < clock_timestamp()
  returning token
$$;

-- Releases the lease.
create or replace function public.alert_release(of_token bigint) returns void
language sql
security definer
set search_path = ''
as $$
  update public.alert_lease set until = '-infinity' where token = of_token
$$;

-- Returns true, and extends the lease, if the last holder has this token. No other server can take the lease until the
-- transaction ends.
create or replace function public.alert_renew(of_token bigint) returns boolean
language plpgsql
set search_path = ''
as $$
begin
  update public.alert_lease set until = clock_timestamp() + seconds * interval '1 second' where token = of_token;
  return found;
end
$$;

-- Returns {"cursor", "sensors": [{"sensor", "air", "told", "toldAt"}]} with the sensors whose names follow `after_sensor`.
create or replace function public.alert_load(after_sensor text, at_most integer) returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select jsonb_build_object(
    'cursor', (select cursor from public.alert_progress),
    'sensors', coalesce(jsonb_agg(
      jsonb_build_object('sensor', sensor, 'air', air, 'told', told, 'toldAt', told_at) order by sensor
    ), '[]')
  )
  from (
    select * from public.alert_sensors
    where after_sensor is null or sensor > after_sensor
    order by sensor
    limit at_most
  ) as page
$$;

-- Stores an `AlertChange` of app/store/alert-store.ts. Returns null, and stores nothing, if another server has the lease.
create or replace function public.alert_commit(of_token bigint, changes jsonb) returns boolean
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

-- Stores the time until which readings are watched. Returns the previous one as {"before": {"until", "patienceMs"}},
-- with null at first. Returns null if another server has the lease.
create or replace function public.alert_watch(of_token bigint, at_time timestamptz, patience_ms bigint) returns jsonb
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

-- Returns a sensor's newest transition; null if there is none.
create or replace function public.alert_last_transition(of_sensor text) returns jsonb
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

-- Returns the messages that an address hasn't received. The event of a message without a transition names the sensor. A
-- summary names no sensor.
create or replace function public.alert_pending(of_address text)
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
create or replace function public.alert_waiting(of_token bigint, of_address text, at_most integer) returns jsonb
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
create or replace function public.alert_summarize(of_token bigint, of_address text, kept jsonb, newest bigint, summary jsonb)
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

-- Stores an `Attempt` of app/store/alert-store.ts, once. Returns null if another server has the lease.
create or replace function public.alert_record(of_token bigint, attempt jsonb) returns boolean
language plpgsql
security definer
set search_path = ''
set enable_seqscan = off
as $$
declare
  of_message constant bigint := (select number from public.alert_messages where id = attempt ->> 'messageId');
  of_address constant text := attempt ->> 'address';
  of_outcome constant text := attempt ->> 'outcome';
begin
  if not public.alert_renew(of_token) then
    return null;
  end if;
  insert into public.alert_attempts (message, address, at, outcome, answer)
  select message, address, (attempt ->> 'at')::timestamptz, of_outcome, attempt ->> 'answer'
  from public.alert_deliveries
  where message = of_message and address = of_address
  on conflict (message, address, at) do nothing;
  if found then
    update public.alert_deliveries set
      state = case of_outcome when 'retry' then 'pending' else of_outcome end,
      attempts = attempts + 1,
      retry_at = (attempt ->> 'retryAt')::timestamptz
    where message = of_message and address = of_address and state = 'pending';
  end if;
  return true;
end
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

-- Returns the newest messages that aren't about a single transition, newest first, with their deliveries and the
-- newest attempts of each.
create or replace function public.alert_recent_messages(at_most integer, attempts_at_most integer) returns jsonb
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
revoke all on function public.alert_hold(uuid, integer), public.alert_release(bigint), public.alert_renew(bigint),
  public.alert_load(text, integer), public.alert_commit(bigint, jsonb), public.alert_watch(bigint, timestamptz, bigint),
  public.alert_last_transition(text), public.alert_pending(text), public.alert_waiting(bigint, text, integer),
  public.alert_summarize(bigint, text, jsonb, bigint, jsonb), public.alert_record(bigint, jsonb),
  public.alert_recent(integer, integer), public.alert_recent_messages(integer, integer),
  public.alert_prune(bigint, timestamptz, integer)
  from public, anon, authenticated, service_role;
grant execute on function public.alert_hold(uuid, integer), public.alert_release(bigint),
  public.alert_load(text, integer), public.alert_commit(bigint, jsonb), public.alert_watch(bigint, timestamptz, bigint),
  public.alert_last_transition(text), public.alert_waiting(bigint, text, integer),
  public.alert_summarize(bigint, text, jsonb, bigint, jsonb), public.alert_record(bigint, jsonb),
  public.alert_recent(integer, integer), public.alert_recent_messages(integer, integer),
  public.alert_prune(bigint, timestamptz, integer)
  to service_role;

-- Hosted projects reload their schema automatically.
notify pgrst, 'reload schema';
