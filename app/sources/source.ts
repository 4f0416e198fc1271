/** A source that readings are fetched from while the server runs. */
export interface Source {
  /** Resolves once readings in progress are stored. */
  stop(): Promise<void>;
}

/** Returns a function that logs a source's changes, but no repetitions of the same text. */
export function sayChanges(source: string): (state: string) => void {
  let said = '';
  return (state) => {
    if (state === said) return;
    said = state;
    console.log(`[airboard] ${new Date().toISOString()} ${source}: ${state}`);
  };
}
