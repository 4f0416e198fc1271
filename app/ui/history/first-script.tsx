import { useContext } from 'react';
import { FirstScriptContext } from '../first-script-context';

/** Runs `ask-first-history` on the server's page. React leaves it as it is. */
export function FirstScript() {
  const address = useContext(FirstScriptContext);
  const __html = address ? `<script type="module" async fetchpriority="high" src="${address}"></script>` : '';
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the address is the build's.
  return <div hidden suppressHydrationWarning dangerouslySetInnerHTML={{ __html }} />;
}
