import { useEffect, useMemo, useState } from 'react';
import type { LiveReadings } from '../../live/browser/use-readings';
import type { AirRules } from '../../readings/air/air-state';
import type { InitialAir, KnownAir } from '../../readings/air/level-since';
import { readingsUntil } from '../../readings/now/freshness';

type FollowAir = typeof import('../../readings/air/follow-air').followAir;

/**
 * Returns a sensor's air by the rules of the notifications, and keeps it up to date once it is asked for: good air needs
 * none of that code.
 */
export function useKnownAir(
  { sensor, history, last }: Pick<LiveReadings, 'sensor' | 'history' | 'last'>,
  initial: InitialAir | null,
  rules: AirRules,
): { known: KnownAir | null; ask(isAsked: true): void } {
  const [isAsked, setAsked] = useState(false);
  const [followAir, setFollowAir] = useState<FollowAir>();
  const base = initial?.sensor === sensor ? initial.known : null;

  useEffect(() => {
    // Without it, the verdict says less.
    if (isAsked)
      import('../../readings/air/follow-air').then(
        (code) => setFollowAir(() => code.followAir),
        () => {},
      );
  }, [isAsked]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another sensor has other air.
  const follow = useMemo(() => followAir?.(base, rules), [followAir, base, rules, sensor]);
  const known = useMemo(
    () => (follow && last ? follow(readingsUntil(history, last)) : base),
    [follow, history, last, base],
  );
  return { known, ask: setAsked };
}
