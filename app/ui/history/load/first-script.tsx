import { useContext } from 'react';
import { FirstScriptContext } from '../../first-script-context';
import { NonceContext } from '../../nonce-context';

/** Runs `ask-first-history` on the server's page. React leaves it as it is. */
export function FirstScript() {
  const address = useContext(FirstScriptContext);
  const nonce = useContext(NonceContext);
  const script = `<script type="module" async fetchpriority="high" src="${address}" nonce="${nonce}"></script>`;
  const __html = address ? script : '';
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the address and the nonce are the server's.
  return <div hidden suppressHydrationWarning dangerouslySetInnerHTML={{ __html }} />;
}
