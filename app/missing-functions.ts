/**
 * Adds the functions that the oldest supported browsers lack (docs/decisions/0011-scripts-of-pages.md).
 * tests/server/older-browsers.test.ts refuses others. Workers don't have them.
 */
export function addMissingFunctions(): void {
  add(Array.prototype, {
    // Chrome before 97.
    findLast<T>(this: T[], test: (value: T, index: number, all: T[]) => unknown): T | undefined {
      return this[this.findLastIndex(test)];
    },
    findLastIndex<T>(this: T[], test: (value: T, index: number, all: T[]) => unknown): number {
      for (let index = this.length - 1; index >= 0; index -= 1)
        if (test(this[index] as T, index, this)) return index;
      return -1;
    },
    // Chrome before 110, Safari before 16.
    toReversed<T>(this: T[]): T[] {
      return [...this].reverse();
    },
  });
  // Chrome before 93.
  add(Object, {
    hasOwn: (object: object, name: PropertyKey) =>
      Reflect.getOwnPropertyDescriptor(object, name) !== undefined,
  });
  // Chrome before 113, Safari before 17.
  if ('size' in URLSearchParams.prototype) return;
  Object.defineProperty(URLSearchParams.prototype, 'size', {
    configurable: true,
    get(this: URLSearchParams) {
      return [...this].length;
    },
  });
}

/** Adds functions to an object that lacks them. `for … in` doesn't list them. */
function add(object: object, functions: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(functions))
    if (!(name in object)) Object.defineProperty(object, name, { configurable: true, writable: true, value });
}
