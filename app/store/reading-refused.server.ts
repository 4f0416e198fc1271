/** The store will never take this reading; the message says why, for the person who sent it. */
export class ReadingRefused extends Error {
  override name = 'ReadingRefused';
}
