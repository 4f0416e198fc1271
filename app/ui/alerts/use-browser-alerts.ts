import { useEffect } from 'react';
import type { PageRules } from '../../readings/air/page-rules';
import { browserChoice } from './browser-choice';

/** Watches the air for the notifications of this browser, once a viewer has switched them on in any tab. */
export function useBrowserAlerts(rules: PageRules): void {
  useEffect(() => {
    const follow = () => {
      // Code of an older build is gone.
      if (browserChoice())
        import('./watch-in-browser').then(
          (code) => code.watchInBrowser(rules),
          () => {},
        );
    };
    follow();
    window.addEventListener('storage', follow);
    return () => window.removeEventListener('storage', follow);
  }, [rules]);
}
