/**
 * A value that exists once a process. A reload in development evaluates modules again; the database and
 * its listeners must outlive that, so they hang on `globalThis`.
 */
export function singleton<T>(name: string, make: () => T): T {
  const slots = globalThis as unknown as Record<symbol, T | undefined>;
  const slot = Symbol.for(`airboard.${name}`);
  slots[slot] ??= make();
  return slots[slot];
}
