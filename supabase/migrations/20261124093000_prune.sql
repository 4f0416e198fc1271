-- Deletes old readings in steps, each of which delays inserts only for a moment.

-- Deletes the oldest readings from before a time, `at_most` of them, and returns their number. Triggers update the history.
create or replace function public.prune_readings(before timestamptz, at_most integer) returns integer
language plpgsql
-- No role of the API may delete readings in any other way.
security definer
set search_path = ''
set enable_seqscan = off
set jit = off
as $$
declare
  deleted integer;
begin
  delete from public.data where id in (
    select id from public.data where created_at < before order by created_at limit least(at_most, 10000)
  );
  get diagnostics deleted = row_count;
  return deleted;
end
$$;

-- By default, everyone may call a function.
revoke all on function public.prune_readings(timestamptz, integer) from public, anon, authenticated;
grant execute on function public.prune_readings(timestamptz, integer) to service_role;

-- Hosted projects reload their schema automatically.
notify pgrst, 'reload schema';
