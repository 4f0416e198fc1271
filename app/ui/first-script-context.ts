import { createContext } from 'react';

/** The address of a script of the page that runs before the others. Undefined if there is none, and in the browser. */
export const FirstScriptContext = createContext<string | undefined>(undefined);
