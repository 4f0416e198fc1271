import { useEffect, useRef, useState } from 'react';
import type { AirReport } from '../../readings/air/air-report';
import type { WriteKey } from '../posting/use-write-key';
import { askNotifications } from './ask-notifications';

const REFRESH_MS = 5000;

/** What the page knows. */
export interface KnownReport {
  /** Null until it has been read. */
  report: AirReport | null;
  /** Why there is no newer report; null if the newest is there. */
  problem: string | null;
}

/**
 * Keeps the report up to date while the page is visible. With a write key, the first one is asked for by the page; if the
 * server rejects the key, the report is removed.
 *
 * @param initial what the server rendered the page with
 */
export function useAirReport(
  initial: KnownReport,
  isKeyNeeded: boolean,
  { key, rejectKey }: WriteKey,
): KnownReport {
  const [known, setKnown] = useState(initial);
  const hasReport = useRef(false);
  hasReport.current = known.report !== null;

  useEffect(() => {
    if (isKeyNeeded && !key) return;
    let isAsking = false;
    let isGone = false;
    const ask = async () => {
      if (isAsking || document.visibilityState !== 'visible') return;
      isAsking = true;
      const answer = await askNotifications<AirReport>('GET', key ?? null);
      isAsking = false;
      if (isGone) return;
      if (answer.ok) return setKnown({ report: answer.value, problem: null });
      if (!answer.isKeyRejected) return setKnown(({ report }) => ({ report, problem: answer.detail }));
      setKnown({ report: null, problem: null });
      rejectKey();
    };
    if (!hasReport.current) ask();
    const timer = setInterval(ask, REFRESH_MS);
    document.addEventListener('visibilitychange', ask);
    return () => {
      isGone = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', ask);
    };
  }, [isKeyNeeded, key, rejectKey]);

  return known;
}
