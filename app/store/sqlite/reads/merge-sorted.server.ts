/** Items that are merged in one turn of the event loop. */
const PART_ITEMS = 1000;

/**
 * Merges sorted lists into one, a part in each turn of the event loop: a sort of 100,000 items would hold it for a tenth
 * of a second.
 */
export async function mergeSorted<T>(
  lists: readonly T[][],
  compare: (a: T, b: T) => number,
  nextTurn: () => Promise<void>,
): Promise<T[]> {
  async function mergeTwo(a: T[], b: T[]): Promise<T[]> {
    const merged: T[] = [];
    for (let [i, j] = [0, 0]; i < a.length || j < b.length; ) {
      const isFromA = j >= b.length || (i < a.length && compare(a[i] as T, b[j] as T) <= 0);
      merged.push((isFromA ? a[i++] : b[j++]) as T);
      if (merged.length % PART_ITEMS === 0) await nextTurn();
    }
    return merged;
  }

  let rest = lists;
  while (rest.length > 1) {
    const merged: T[][] = [];
    for (let i = 0; i < rest.length; i += 2) merged.push(await mergeTwo(rest[i] ?? [], rest[i + 1] ?? []));
    rest = merged;
  }
  return rest[0] ?? [];
}
