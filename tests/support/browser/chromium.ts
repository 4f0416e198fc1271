import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** Chromium without windows, which is a separate package in Debian. */
const HEADLESS_SHELL = 'chromium-headless-shell';

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * Chromium opens a hidden browser window for each context. The first three features load pages for its address bar,
 * which takes as long as loading airboard. The fourth starts a process for a next page, which no test opens. The rest
 * are those that Playwright disables, because only the last `--disable-features` counts.
 */
const DISABLED_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'SpareRendererForSitePerProcess',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
];

/** Flags for a browser that sends no requests except those of the page. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Otherwise the hidden browser window animates the tab of a loading page.
  '--animation-duration-scale=0',
  `--disable-features=${DISABLED_FEATURES}`,
];

export interface ChromiumOptions {
  /** Keeps the back/forward cache, which Playwright turns off. */
  hasBackForwardCache?: boolean;
  /** Uses the whole Chromium, because a headless shell lacks, for example, touch gestures. */
  isWhole?: boolean;
}

/** Starts a headless Chromium with a fresh profile. */
export function launchChromium(
  { hasBackForwardCache }: ChromiumOptions = {},
  executablePath = ensureChromium(),
): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: ARGUMENTS,
    ignoreDefaultArgs: hasBackForwardCache ? ['--disable-back-forward-cache'] : [],
    // Vitest ends a process by SIGTERM, and Chromium ends with it. Playwright's handler would close Chromium first,
    // which takes longer than Vitest waits.
    handleSIGTERM: false,
  });
}

const shared = new Map<string, Promise<Browser>>();

/**
 * Returns the Chromium that all test files of this process share. They close their contexts, but not the browser. With
 * `HEADLESS_SHELL_PATH`, this is the headless shell if it has the required features: its pages take a third less
 * processor time.
 */
export async function sharedChromium(options: ChromiumOptions = {}): Promise<Browser> {
  const shell = process.env.HEADLESS_SHELL_PATH;
  const isShell = shell && !options.isWhole && !options.hasBackForwardCache;
  const key = isShell ? 'shell' : `whole ${options.hasBackForwardCache}`;
  const running = await shared.get(key);
  if (running?.isConnected()) return running;
  const launched = (isShell ? launchChromium({}, shell) : launchChromium(options)).then(
    withoutServiceWorkers,
  );
  shared.set(key, launched);
  return launched;
}

/** Blocks service workers, which cost time and outlive a page. A test that needs them allows them in its context. */
function withoutServiceWorkers(browser: Browser): Browser {
  const newContext = browser.newContext.bind(browser);
  browser.newContext = (options) => newContext({ serviceWorkers: 'block', ...options });
  return browser;
}

/**
 * Returns the path of a Chromium: `CHROMIUM_PATH`, Playwright's own, or one on this machine. Installs one if there is
 * none, and throws if it can't.
 */
export function ensureChromium(): string {
  const named = process.env.CHROMIUM_PATH;
  if (named && !isExecutable(named))
    throw new Error(
      `CHROMIUM_PATH is ${named}, which is not an executable file. Set it to a Chromium or Chrome.`,
    );
  return named ?? findChromium() ?? installChromium();
}

function findChromium(): string | undefined {
  const onPath = ['chromium', 'google-chrome'].flatMap(placesOnPath);
  return [chromium.executablePath(), ...INSTALLED, ...onPath].find(isExecutable);
}

/** Returns the path of Chromium's headless shell if it is installed. */
export function findHeadlessShell(): string | undefined {
  return placesOnPath(HEADLESS_SHELL).find(isExecutable);
}

function placesOnPath(program: string): string[] {
  return (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, program));
}

function installChromium(): string {
  console.log('No Chromium found. Installing one …');
  const playwright = createRequire(import.meta.url).resolve('playwright-core/package.json');
  run(process.execPath, [join(playwright, '..', 'cli.js'), 'install', 'chromium']);
  if (!findChromium() && existsSync('/usr/bin/apt-get') && process.getuid?.() === 0) {
    run('apt-get', ['update']);
    run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium']);
  }
  const found = findChromium();
  if (found) return found;
  throw new Error(
    'No Chromium found, and installing one failed. Run "npx playwright install chromium", install your ' +
      "system's chromium package, or set CHROMIUM_PATH to a Chromium or Chrome.",
  );
}

function run(command: string, parameters: string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync(command, parameters, { stdio: 'inherit', env });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Sets `CHROMIUM_PATH` for the processes that run tests, and `HEADLESS_SHELL_PATH` if one is installed and no Chromium
 * was named. Without a Chromium, prints before and after the run that the tests that need one are skipped. Throws if
 * `CI` is set or `CHROMIUM_PATH` is wrong.
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
