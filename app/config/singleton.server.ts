/**
 * Returns the value of this name, created on the first call and kept on `globalThis`. In development a reload evaluates
 * modules again, which values such as the open store must survive.
 */
export function singleton<T>(name: string, make: () => T): T {
  const slots = globalThis as unknown as Record<symbol, T | undefined>;
  const slot = Symbol.for(`airboard.${name}`);
  slots[slot] ??= make();
  return slots[slot];
}
