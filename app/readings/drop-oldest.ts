/** Removes the members of a set or map that were added first, until it has at most `most`. */
export function dropOldest<Key>(members: Set<Key> | Map<Key, unknown>, most: number): void {
  for (const key of members.keys()) {
    if (members.size <= most) return;
    members.delete(key);
  }
}
