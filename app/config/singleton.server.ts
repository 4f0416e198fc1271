/**
 * Returns the value of this name, created on the first call and kept on `globalThis`. In development, values such as
 * the open store must survive a reload, which evaluates modules again.
 */
export function singleton<T>(name: string, make: () => T): T {
  const slots = globalThis as unknown as Record<symbol, T | undefined>;
  const slot = Symbol.for(`airboard.${name}`);
  slots[slot] ??= make();
  return slots[slot];
}
