import { describe, expect, test } from 'vitest';
import { sensorFilterContract } from '../../contracts/sensor-filter-contract';
import { parseFilter } from '../../support/supabase/realtime-double';
import { startSupabaseDouble } from '../../support/supabase/supabase-double';

describe('Realtime in the double', () => {
  sensorFilterContract(async () => {
    const double = await startSupabaseDouble();
    return {
      url: double.url,
      publicKey: double.publicKey,
      insert: async (sensor) => {
        await double.insert({ co2: 415, voc: null, sensor });
      },
      close: double.stop,
    };
  });

  // The cases come from the documentation of Realtime's parser.
  test.each([
    ['', ['', 'a', 'b']],
    ['   ', ['', 'a', 'b']],
    ['sensor=eq.a', ['a']],
    ['sensor=not.eq.a', ['', 'b']],
    ['sensor=not.eq.a,sensor=not.eq.b', ['']],
  ])('the filter %o selects the sensors %o', (filter, sensors) => {
    const row = { id: 1, created_at: '2026-01-02T10:00:00+00:00', co2: 1, voc: 1 };
    const selects = parseFilter(filter);
    expect(['', 'a', 'b'].filter((sensor) => selects({ ...row, sensor }))).toEqual(sensors);
  });

  test.each(['undefined', 'sensor=foo.hey', 'name=eq.a'])('refuses %o', (filter) => {
    expect(() => parseFilter(filter)).toThrow(/Error parsing|invalid column/);
  });
});
