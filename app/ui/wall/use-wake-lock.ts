import { useEffect } from 'react';

/**
 * Keeps the screen on while the page is visible, where the browser allows that: over HTTPS or on `localhost`, and
 * mostly not on a low battery.
 */
export function useWakeLock(): void {
  useEffect(() => {
    let lock: Promise<WakeLockSentinel | undefined> | undefined;
    // A hidden page loses its lock.
    const request = () => {
      if (document.visibilityState !== 'visible') return;
      lock = navigator.wakeLock?.request('screen').catch(() => undefined);
    };
    request();
    document.addEventListener('visibilitychange', request);
    return () => {
      document.removeEventListener('visibilitychange', request);
      lock?.then((held) => held?.release());
    };
  }, []);
}
