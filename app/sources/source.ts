/** A source of readings that the server fetches while it runs. */
export interface Source {
  /** Resolves once readings in progress are stored. */
  stop(): Promise<void>;
}

/** Returns a function that logs the states of a source, but doesn't repeat the same text. */
export function sayChanges(source: string): (state: string) => void {
  let said = '';
  return (state) => {
    if (state === said) return;
    said = state;
    console.log(`[airboard] ${new Date().toISOString()} ${source}: ${state}`);
  };
}
