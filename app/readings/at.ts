/** Returns `list[index]`. Throws a `RangeError` if there is no such item, which is a bug in the caller. */
export function at<T>(list: ArrayLike<T>, index: number): T {
  const item = list[index];
  if (item === undefined) throw new RangeError(`No item ${index} in a list of ${list.length}`);
  return item;
}
