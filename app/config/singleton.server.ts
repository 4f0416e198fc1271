/**
 * Returns the value of this name, made on the first call and kept on `globalThis`. In development a reload
 * evaluates modules again, and values such as the open store have to survive it.
 */
export function singleton<T>(name: string, make: () => T): T {
  const slots = globalThis as unknown as Record<symbol, T | undefined>;
  const slot = Symbol.for(`airboard.${name}`);
  slots[slot] ??= make();
  return slots[slot];
}
