import { useContext } from 'react';
import { FirstScriptContext } from './first-script-context';
import { NonceContext } from './nonce-context';

interface FirstScriptProps {
  /** Its name in `scripts/build/client-build.js`. */
  name: string;
}

/**
 * Runs a script on the server's page before React has come, as soon as it is there: perhaps before the styles are, and the
 * rest of the document. React leaves it as it is.
 */
export function FirstScript({ name }: FirstScriptProps) {
  const script = useFirstScript(name);
  const nonce = useContext(NonceContext);
  const source = `<script type="module" async fetchpriority="low" src="${script?.address}" nonce="${nonce}"></script>`;
  const __html = script ? source : '';
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the address and the nonce are the server's.
  return <div hidden suppressHydrationWarning dangerouslySetInnerHTML={{ __html }} />;
}

interface HeadScriptProps extends FirstScriptProps {
  /** The element's attributes, from which the script knows what to do. */
  [attribute: `data-${string}`]: string | undefined;
}

/**
 * Runs a script as a part of the document's head, before anything else. Scripts that import its module run it once more.
 */
export function HeadScript({ name, ...attributes }: HeadScriptProps) {
  const __html = useFirstScript(name)?.read() ?? '';
  const nonce = useContext(NonceContext);
  return (
    <script
      {...attributes}
      nonce={nonce}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the script is the server's.
      dangerouslySetInnerHTML={{ __html }}
    />
  );
}

function useFirstScript(name: string) {
  return useContext(FirstScriptContext).find(({ address }) => address.includes(`/${name}-`));
}
