import { useCallback, useEffect, useState } from 'react';
import { Button } from '../controls';
import { useHydrated } from '../hydration';
import type { BrowserAlertRules } from './browser-alerts-panel';

/** The parts of a browser's notifications that every page loads. The rest comes once a viewer wants it. */

type Panel = typeof import('./browser-alerts-panel').BrowserAlertsPanel;

export function BrowserAlertsButton({ rules }: { rules: BrowserAlertRules }) {
  const isHydrated = useHydrated();
  const [panel, setPanel] = useState<{ Panel: Panel }>();
  const close = useCallback(() => setPanel(undefined), []);
  const open = () =>
    import('./browser-alerts-panel').then(
      ({ BrowserAlertsPanel }) => setPanel({ Panel: BrowserAlertsPanel }),
      // The code is that of an older build.
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

/** Watches the air for the notifications of this browser, once a viewer has switched them on in any tab. */
export function useBrowserAlerts(): void {
  useEffect(() => {
    const follow = () => {
      if (!isChosen()) return;
      import('./watch-in-browser').then(
        (code) => code.watchInBrowser(),
        // Code of an older build is gone.
        () => {},
      );
    };
    follow();
    window.addEventListener('storage', follow);
    return () => window.removeEventListener('storage', follow);
  }, []);
}

/** As in `browserChoice`, whose code pages load later. */
function isChosen(): boolean {
  try {
    return Boolean(localStorage['airboard.notify']);
  } catch {
    // Browsers can deny access to `localStorage`.
    return false;
  }
}
