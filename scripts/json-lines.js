/** The boundary between two objects in the array. Inside a JSON string, its quote would be escaped. */
const BETWEEN = '},{"';

/**
 * Converts a streamed JSON array of flat objects to NDJSON, in constant memory.
 *
 * @param {AsyncIterable<Uint8Array>} bytes
 */
export async function* toLines(bytes) {
  const decoder = new TextDecoder();
  let rest = '';
  let isStart = true;
  for await (const part of bytes) {
    rest += decoder.decode(part, { stream: true });
    if (isStart && rest) {
      rest = rest.replace(/^\[/, '');
      isStart = false;
    }
    // Keep the rest, which may end inside a boundary or with the end of the array.
    const end = rest.lastIndexOf(BETWEEN) + 1;
    if (end > 0) yield rest.slice(0, end).replaceAll(BETWEEN, '}\n{"').concat('\n');
    if (end > 0) rest = rest.slice(end + 1);
  }
  rest = rest.replace(/\]\s*$/, '');
  if (rest) yield `${rest}\n`;
}
