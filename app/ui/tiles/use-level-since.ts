import { useEffect, useMemo, useState } from 'react';
import type { LiveReadings } from '../../live/browser/use-readings';
import type { AirRules } from '../../readings/air/air-state';
import type { LevelSince } from '../../readings/air/level-since';
import type { Level } from '../../readings/level/level';
import { readingsUntil } from '../../readings/now/freshness';

type Code = typeof import('../../readings/air/follow-air');

/**
 * Returns a function that says since when the air has a level, by the rules of the notifications: what the server said at
 * first, then, once `load` is called, what the page's readings say. Good air needs none of that code.
 */
export function useLevelSince(
  { sensor, history, last }: Pick<LiveReadings, 'sensor' | 'history' | 'last'>,
  initial: (LevelSince & { sensor: string }) | null,
  rules: AirRules,
): { levelSince: (level: Level) => LevelSince | null; load(isNeeded: true): void } {
  const [isNeeded, setNeeded] = useState(false);
  const [code, setCode] = useState<Code>();
  const before = initial?.sensor === sensor ? initial : null;

  useEffect(() => {
    // Without the code, the verdict says less.
    if (isNeeded) import('../../readings/air/follow-air').then(setCode, () => {});
  }, [isNeeded]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another sensor has other air.
  const follow = useMemo(() => code?.followAir(before, rules), [code, before, rules, sensor]);
  const levelSince = useMemo(
    () =>
      follow && last
        ? follow(readingsUntil(history, last))
        : (level: Level) => (before?.level === level ? before : null),
    [follow, history, last, before],
  );
  return { levelSince, load: setNeeded };
}
