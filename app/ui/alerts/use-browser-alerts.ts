import { useEffect } from 'react';
import type { PageRules } from '../../readings/air/page-rules';

/** Watches the air for the notifications of this browser, once a viewer has switched them on in any tab. */
export function useBrowserAlerts(rules: PageRules): void {
  useEffect(() => {
    const follow = () => {
      if (!isChosen()) return;
      import('./watch-in-browser').then(
        (code) => code.watchInBrowser(rules),
        // Code of an older build is gone.
        () => {},
      );
    };
    follow();
    window.addEventListener('storage', follow);
    return () => window.removeEventListener('storage', follow);
  }, [rules]);
}

/** As in `browserChoice`, which would be one more file that the dashboard has to load first: others load it later. */
function isChosen(): boolean {
  try {
    return Boolean(localStorage['airboard.notify']);
  } catch {
    // Browsers can deny access to `localStorage`.
    return false;
  }
}
