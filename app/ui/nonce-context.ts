import { createContext } from 'react';

/** The nonce of a document's inline scripts. Undefined in the browser, which hides nonces and doesn't need it. */
export const NonceContext = createContext<string | undefined>(undefined);
