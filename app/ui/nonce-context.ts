import { createContext } from 'react';

/** The nonce of a document's own scripts, on the server; a browser hides it, and needs it no more. */
export const NonceContext = createContext<string | undefined>(undefined);
