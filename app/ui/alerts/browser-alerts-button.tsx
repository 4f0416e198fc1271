import { useCallback, useState } from 'react';
import type { PageRules } from '../../readings/air/page-rules';
import { Button } from '../button';
import { useHydrated } from '../use-hydrated';

type Panel = typeof import('./browser-alerts-panel').BrowserAlertsPanel;

/** Opens the panel with the switch for notifications of this browser. Its code is loaded then. */
export function BrowserAlertsButton({ rules }: { rules: PageRules }) {
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
