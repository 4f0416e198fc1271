-- The table of readings. `anon` is the role of the public key, which every browser receives: it may only read and
-- insert readings.

create table public.data (
  id bigint generated always as identity primary key,
  created_at timestamptz not null default now(),
  -- The range of a JSON number. numeric also accepts NaN and infinity, which sort above every number.
  co2 numeric not null constraint data_co2_finite check (abs(co2) <= 1.7976931348623157e308),
  voc numeric not null constraint data_voc_finite check (abs(voc) <= 1.7976931348623157e308)
);

create index data_newest on public.data (created_at desc, id desc);

-- Older projects grant everything on a new table by default, newer ones nothing. Without an insert grant on id and
-- created_at no client can forge them.
revoke all on public.data from anon, authenticated;
grant select, insert (co2, voc) on public.data to anon;
-- The role of the secret key, which only the server uses.
grant select, insert on public.data to service_role;

alter table public.data enable row level security;

create policy "Everyone reads readings" on public.data for select to anon using (true);

-- To let only the server insert readings, drop this policy and set SUPABASE_SECRET_KEY on the server.
create policy "Everyone adds readings" on public.data for insert to anon with check (true);

-- Realtime sends changes of the tables in this publication. Only Supabase has it.
do $$
begin
  if exists (select from pg_publication where pubname = 'supabase_realtime' and not puballtables)
    and not exists (
      select from pg_publication_tables
      where pubname = 'supabase_realtime' and schemaname = 'public' and tablename = 'data'
    )
  then
    alter publication supabase_realtime add table public.data;
  end if;
end
$$;
