-- Columns for the metrics of other gases, particles, radon, noise and light. `measured` of 20261128091000_slots_and_history.sql has
-- their ranges.
select public.add_metrics('hcho', 'co', 'no2', 'o3', 'radon', 'pm1', 'pm4', 'noise', 'light');
