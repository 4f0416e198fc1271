-- At most 324 decimals, which is what the smallest JSON number needs. numeric has up to 16,383: at 32 kB a row, a few
-- clients that read the history would use up the server's memory.

-- A constraint isn't accepted while stored rows violate it. Rounding leaves the number that clients see.
update public.data
set co2 = round(co2, 324), voc = round(voc, 324)
where scale(co2) > 324 or scale(voc) > 324;

alter table public.data
  add constraint data_co2_decimals check (scale(co2) <= 324),
  add constraint data_voc_decimals check (scale(voc) <= 324);
