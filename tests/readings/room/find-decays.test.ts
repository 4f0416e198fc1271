import { describe, expect, test } from 'vitest';
import { findAirings } from '../../../app/readings/room/find-airings';
import { findDecays } from '../../../app/readings/room/find-decays';
import { normal, OUTDOOR, seeded } from '../../support/readings/simulated-room';

/** Returns CO2 by minute: 1400 PPM for an hour, then a fall towards a value at a rate in air changes an hour. */
function falling(airChanges: number, towards = OUTDOOR) {
  return Array.from({ length: 420 }, (_, minute) => ({
    minute,
    co2: towards + (1400 - towards) * Math.exp((-airChanges * Math.max(0, minute - 60)) / 60) + (minute % 2),
  }));
}

describe('a decay', () => {
  test('is the fall of an empty room', () => {
    const [decay, ...others] = findDecays(falling(0.8), [], OUTDOOR);
    expect(others).toEqual([]);
    const { from = 0, to = 0, fromPpm = 0, toPpm = 0 } = decay ?? {};
    const rate = Math.log((fromPpm - OUTDOOR) / (toPpm - OUTDOOR)) / ((to - from) / 60);
    expect(rate).toBeCloseTo(0.8, 1);
  });

  test('begins when people have left, not while CO2 is steady before', () => {
    for (let seed = 1; seed <= 8; seed++) {
      const random = seeded(seed);
      const noisy = falling(0.8).map(({ minute, co2 }) => ({ minute, co2: co2 + 12 * normal(random) }));
      const [{ from = 0, to = 0, fromPpm = 0, toPpm = 0 } = {}] = findDecays(noisy, [], OUTDOOR);
      expect(from).toBeGreaterThanOrEqual(60);
      const rate = Math.log((fromPpm - OUTDOOR) / (toPpm - OUTDOOR)) / ((to - from) / 60);
      expect(Math.abs(rate / 0.8 - 1)).toBeLessThan(0.05);
    }
  });

  test('isn’t a fall that slows down because somebody stays', () => {
    expect(findDecays(falling(1.2, 640), [], OUTDOOR)).toEqual([]);
  });

  test('isn’t looked for in readings that are further apart than twelve minutes', () => {
    const slow = (interval: number) => falling(0.4).filter(({ minute }) => minute % interval === 0);
    expect(findDecays(slow(10), [], OUTDOOR)).toHaveLength(1);
    expect(findDecays(slow(15), [], OUTDOOR)).toEqual([]);
  });

  test('isn’t an airing', () => {
    const fast = falling(3);
    const { ended } = findAirings(fast, OUTDOOR);
    expect(ended).toHaveLength(1);
    expect(findDecays(fast, [], OUTDOOR)).toHaveLength(1);
    expect(findDecays(fast, ended, OUTDOOR)).toEqual([]);
  });
});
