import { useCallback, useEffect, useState } from 'react';
import { isInForeignFrame } from '../../live/browser/foreign-frame';
import { Button } from '../controls';
import { useHydrated } from '../hydration';
import type { BrowserAlertRules } from './browser-alerts-panel';

/** The part of browser notifications that every page loads. The rest is loaded once a viewer wants it. */

type Panel = typeof import('./browser-alerts-panel').BrowserAlertsPanel;

export function BrowserAlertsButton({ rules }: { rules: BrowserAlertRules }) {
  const isHydrated = useHydrated();
  const [panel, setPanel] = useState<{ Panel: Panel }>();
  const close = useCallback(() => setPanel(undefined), []);
  const open = () =>
    import('./browser-alerts-panel').then(
      ({ BrowserAlertsPanel }) => setPanel({ Panel: BrowserAlertsPanel }),
      // The page belongs to an older build, whose code is gone.
      () => window.location.reload(),
    );
  return (
    <>
      <Button look="quiet" disabled={!isHydrated} onClick={open} className="noscript:hidden">
        Notify<span className="max-sm:sr-only"> me</span>
      </Button>
      {panel && <panel.Panel rules={rules} onClose={close} />}
    </>
  );
}

/** Shows browser notifications if a viewer has switched them on in any tab. */
export function useBrowserAlerts(): void {
  useEffect(() => {
    if (isInForeignFrame()) return;
    const follow = () => {
      if (!isChosen()) return;
      import('./watch-in-browser').then(
        (code) => code.watchInBrowser(),
        // The page belongs to an older build, whose code is gone.
        () => {},
      );
    };
    follow();
    window.addEventListener('storage', follow);
    return () => window.removeEventListener('storage', follow);
  }, []);
}

/** A copy of the check in `browserChoice`, whose code is loaded later. */
function isChosen(): boolean {
  try {
    return Boolean(localStorage['airboard.notify']);
  } catch {
    // Browsers can deny access to `localStorage`.
    return false;
  }
}
