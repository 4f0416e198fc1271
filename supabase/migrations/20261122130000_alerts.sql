-- The state of each sensor for notifications, and the outbox. Only the secret key can reach them, through functions.
-- docs/decisions/0019-alerts-beside-readings.md has the reasons.

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

create table public.alert_sensors (
  sensor text primary key,
  air jsonb not null,
  told text not null,
  told_at timestamptz
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
  air jsonb not null,
  is_withdrawn boolean not null default false,
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

create table public.alert_deliveries (
  message bigint not null references public.alert_messages on delete cascade,
  address text not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
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
revoke all on public.alert_lease, public.alert_progress, public.alert_sensors, public.alert_transitions,
  public.alert_messages, public.alert_deliveries, public.alert_attempts
  from anon, authenticated, service_role;
alter table public.alert_lease enable row level security;
alter table public.alert_progress enable row level security;
alter table public.alert_sensors enable row level security;
alter table public.alert_transitions enable row level security;
alter table public.alert_messages enable row level security;
alter table public.alert_deliveries enable row level security;
alter table public.alert_attempts enable row level security;

-- Gives a server the lease for some seconds. Returns its token, which stays the same until another server gets the
-- lease; null while another server has it.
create function public.alert_hold(of_holder uuid, lease_seconds integer) returns bigint
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
create function public.alert_release(of_token bigint) returns void
language sql
security definer
set search_path = ''
as $$
  update public.alert_lease set until = '-infinity' where token = of_token
$$;

-- Returns true, and extends the lease, if the last holder has this token. No other server can take the lease until the
-- transaction ends.
create function public.alert_renew(of_token bigint) returns boolean
language plpgsql
set search_path = ''
as $$
begin
  update public.alert_lease set until = clock_timestamp() + seconds * interval '1 second' where token = of_token;
  return found;
end
$$;

-- Returns {"cursor", "sensors": [{"sensor", "air", "told", "toldAt"}]} with the sensors whose names follow `after_sensor`.
create function public.alert_load(after_sensor text, at_most integer) returns jsonb
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

-- Stores an `AlertChange` of app/store/alert-store.ts. Returns null, and stores nothing, if another server has the
-- lease.
create function public.alert_commit(of_token bigint, change jsonb) returns boolean
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

  insert into public.alert_transitions (sensor, at, state, before, since, co2, voc, air)
  select value ->> 'sensor', (value ->> 'at')::timestamptz, value ->> 'to', value ->> 'from',
    (value ->> 'since')::timestamptz, (value ->> 'co2')::double precision, (value ->> 'voc')::double precision,
    value -> 'air'
  from jsonb_array_elements(change -> 'transitions') with ordinality as sent (value, n)
  order by n
  on conflict (sensor, at, state) do update set
    before = excluded.before, since = excluded.since, co2 = excluded.co2, voc = excluded.voc, air = excluded.air,
    is_withdrawn = false;

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
create function public.alert_transitions_since(of_sensor text, since_time timestamptz) returns jsonb
language sql
stable
security definer
set search_path = ''
set enable_seqscan = off
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'sensor', sensor, 'at', at, 'from', before, 'to', state, 'since', since, 'co2', co2, 'voc', voc, 'air', air
  ) order by at, id), '[]')
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

-- Returns {"delivery"} with the oldest pending delivery of an address, or with null if there is none. Returns null
-- if another server has the lease; otherwise the lease lasts long enough to send the message.
create function public.alert_next_delivery(of_token bigint, of_address text) returns jsonb
language plpgsql
security definer
set search_path = ''
set enable_seqscan = off
as $$
begin
  if not public.alert_renew(of_token) then
    return null;
  end if;
  return jsonb_build_object('delivery', (
    select jsonb_build_object(
      'message', jsonb_build_object(
        'id', id,
        'createdAt', created_at,
        'transition', case when sensor is not null
          then jsonb_build_object('sensor', sensor, 'at', at, 'to', message.state) end,
        'event', event,
        'addresses', (select jsonb_agg(address order by address) from public.alert_deliveries where message = number)
      ),
      'address', address,
      'attempts', attempts,
      'retryAt', retry_at
    )
    from public.alert_deliveries as delivery
    join public.alert_messages as message on number = delivery.message
    where address = of_address and delivery.state = 'pending'
    order by delivery.message
    limit 1
  ));
end
$$;

-- Stores an `Attempt` of app/store/alert-store.ts, once. Returns null if another server has the lease.
create function public.alert_record(of_token bigint, attempt jsonb) returns boolean
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
create function public.alert_recent(at_most integer, attempts_at_most integer) returns jsonb
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
  ) order by at desc, id desc), '[]')
  from (select * from public.alert_transitions order by at desc, id desc limit at_most) as recent
$$;

-- Removes up to `at_most` transitions, and as many completed messages, from before a time. A sensor's last transition
-- stays. Returns the number of removed rows; null if another server has the lease.
create function public.alert_prune(of_token bigint, before_time timestamptz, at_most integer) returns integer
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
    where at < before_time and (is_withdrawn or exists (
      select from public.alert_transitions as later
      where later.sensor = old.sensor and (later.at, later.id) > (old.at, old.id) and not later.is_withdrawn
    ))
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
  public.alert_load(text, integer), public.alert_commit(bigint, jsonb),
  public.alert_transitions_since(text, timestamptz), public.alert_next_delivery(bigint, text),
  public.alert_record(bigint, jsonb), public.alert_recent(integer, integer),
  public.alert_prune(bigint, timestamptz, integer)
  from public, anon, authenticated, service_role;
grant execute on function public.alert_hold(uuid, integer), public.alert_release(bigint),
  public.alert_load(text, integer), public.alert_commit(bigint, jsonb),
  public.alert_transitions_since(text, timestamptz), public.alert_next_delivery(bigint, text),
  public.alert_record(bigint, jsonb), public.alert_recent(integer, integer),
  public.alert_prune(bigint, timestamptz, integer)
  to service_role;

-- Hosted projects reload their schema automatically.
notify pgrst, 'reload schema';
