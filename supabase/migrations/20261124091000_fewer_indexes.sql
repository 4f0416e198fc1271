-- Removes and shrinks indexes, which took 136 of the 194 bytes of a reading.
-- docs/decisions/0016-hosted-roll-ups.md has the reasons.

-- This index gives the readings of all sensors by time. Few readings have the same time, so sorting these by id costs
-- little. The pages of a descending index would stay half empty.
create index if not exists data_time on public.data (created_at);
drop index if exists public.data_newest;
-- Ids are assigned in the order of commits, so the readings after an id are near the end of the primary key.
drop index if exists public.data_sensor_id;

-- Each post updates the current slot. While the slot's page has room, the update changes no index.
alter table public.slots set (fillfactor = 90);
