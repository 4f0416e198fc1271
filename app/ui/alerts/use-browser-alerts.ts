import { useEffect } from 'react';
import type { PageRules } from '../../readings/air/page-rules';

/** Watches the air for the notifications of this browser, once a viewer has switched them on in any tab. */
export function useBrowserAlerts(rules: PageRules): void {
  useEffect(() => {
    const follow = () => {
      try {
        // As in `browserChoice`, which is not loaded yet. Code of an older build is gone.
        if (localStorage['airboard.notify'])
          import('./watch-in-browser').then(
            (code) => code.watchInBrowser(rules),
            () => {},
          );
      } catch {
        // Browsers can deny access to `localStorage`.
      }
    };
    follow();
    window.addEventListener('storage', follow);
    return () => window.removeEventListener('storage', follow);
  }, [rules]);
}
