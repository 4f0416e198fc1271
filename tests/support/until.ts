import { size } from './size';

/**
 * Polls a condition, with growing delays, until it returns something other than false, null or undefined, and returns
 * that.
 *
 * @throws Error after `timeoutMs`, or the error of the condition
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  timeoutMs = size(60_000, 25_000),
): Promise<NonNullable<Exclude<T, false>>> {
  const start = Date.now();
  for (;;) {
    const result = await condition();
    if (result !== false && result !== null && result !== undefined) {
      return result as NonNullable<Exclude<T, false>>;
    }
    const waitedMs = Date.now() - start;
    if (waitedMs > timeoutMs) throw new Error(`condition not met within ${timeoutMs} ms: ${condition}`);
    // Each query costs the page's processes a few milliseconds, so frequent queries would slow the page down.
    await new Promise((resolve) => setTimeout(resolve, Math.min(Math.max(waitedMs / 10, 20), 100)));
  }
}
