/**
 * Polls a condition until it returns something other than false, null or undefined, and returns that.
 *
 * @throws Error after `timeoutMs`, or what the condition throws
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  timeoutMs = 20_000,
): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const result = await condition();
    if (result !== false && result !== null && result !== undefined) {
      return result as NonNullable<Exclude<T, false>>;
    }
    if (Date.now() > deadline) throw new Error(`condition not met within ${timeoutMs} ms: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
