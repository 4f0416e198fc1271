-- Limits numbers to 324 decimals, as many as the smallest JSON number needs. `numeric` allows 16,383 decimals, which take
-- 32 kB a row: a few clients that read the history would use up the server's memory.

-- Postgres doesn't accept a constraint while stored rows violate it. Rounding doesn't change the numbers that clients see.
update public.data
set co2 = round(co2, 324), voc = round(voc, 324)
where scale(co2) > 324 or scale(voc) > 324;

alter table public.data
  add constraint data_co2_decimals check (scale(co2) <= 324),
  add constraint data_voc_decimals check (scale(voc) <= 324);
