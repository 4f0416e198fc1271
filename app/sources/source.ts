/** A place that readings are fetched from, while the server runs. */
export interface Source {
  /** Ends once what has begun to be stored is stored. */
  stop(): Promise<void>;
}

/** Makes a function that logs what happens to a source: once, not with each further attempt that ends the same way. */
export function sayChanges(source: string): (state: string) => void {
  let said = '';
  return (state) => {
    if (state === said) return;
    said = state;
    console.log(`[airboard] ${new Date().toISOString()} ${source}: ${state}`);
  };
}
