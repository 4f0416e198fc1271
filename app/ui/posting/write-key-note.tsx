import { useContext } from 'react';
import { NonceContext } from '../nonce-context';
import { STORAGE_KEY } from './use-write-key';

const SOURCE = `try{document.documentElement.toggleAttribute('data-write-key',!!localStorage.getItem('${STORAGE_KEY}'))}catch{}`;

/**
 * Notes on the document if this browser has a write key, before the page is painted. The server can't know, so it sends both
 * what needs the key and what asks for it, and the styles below hide one of them until React has come.
 */
export function WriteKeyNote() {
  const nonce = useContext(NonceContext);
  return (
    <script
      nonce={nonce}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the script is the server's.
      dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? SOURCE : '' }}
    />
  );
}

/** Hides an element in browsers without a write key. */
export const WITH_KEY = 'not-in-[[data-write-key]]:hidden';

/** Hides an element in browsers with a write key. */
export const WITHOUT_KEY = 'in-[[data-write-key]]:hidden';
