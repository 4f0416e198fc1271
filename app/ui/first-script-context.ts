import { createContext } from 'react';

/** A script that runs before React has come. */
export interface FirstScriptFile {
  /** The path of its file, such as `/assets/first-chart-Bf3kQ0.js`. */
  address: string;
  /** Returns its copy for the document's head, which only `first-history` has. */
  read(): string;
}

/** The scripts of the server's page that run before React has come. Empty in the browser. */
export const FirstScriptContext = createContext<readonly FirstScriptFile[]>([]);
