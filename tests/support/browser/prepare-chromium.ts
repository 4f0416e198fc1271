import { ensureChromium, findHeadlessShell } from './chromium';

/**
 * Sets `CHROMIUM_PATH` for the processes that run tests, and `HEADLESS_SHELL_PATH` if there is one and no Chromium was
 * named. Without a Chromium, the tests that need one are skipped, which it says before and after the run. If `CI` is set
 * or `CHROMIUM_PATH` is wrong, it throws instead.
 */
export default function prepareChromium(): (() => void) | undefined {
  try {
    const shell = process.env.CHROMIUM_PATH ? undefined : findHeadlessShell();
    process.env.CHROMIUM_PATH = ensureChromium();
    console.log(`Chromium: ${process.env.CHROMIUM_PATH}`);
    if (!shell) return;
    process.env.HEADLESS_SHELL_PATH = shell;
    console.log(`Its headless shell, for most tests: ${shell}`);
  } catch (error) {
    if (process.env.CI || process.env.CHROMIUM_PATH) throw error;
    const warning = `\nLEFT OUT: the browser tests in tests/e2e. ${(error as Error).message}\n`;
    console.warn(warning);
    return () => console.warn(warning);
  }
}
