import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** A quiet browser: it asks nothing of the network but what the page does. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts a headless Chromium with a fresh profile. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: ensureChromium(), args: ARGUMENTS });
}

/**
 * The path of a Chromium: what `CHROMIUM_PATH` names, Playwright's own, or one that is installed. Where
 * there is none it installs one. Throws saying what to install if it can't: tests are never skipped.
 */
export function ensureChromium(): string {
  const named = process.env.CHROMIUM_PATH;
  if (named && !isExecutable(named)) throw new Error(`CHROMIUM_PATH names ${named}, which can't be run.`);
  return named ?? findChromium() ?? installChromium();
}

function findChromium(): string | undefined {
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => ['chromium', 'google-chrome'].map((name) => join(folder, name)));
  return [chromium.executablePath(), ...INSTALLED, ...onPath].find(isExecutable);
}

function installChromium(): string {
  console.log('No Chromium found: installing one …');
  const playwright = createRequire(import.meta.url).resolve('playwright-core/package.json');
  run(process.execPath, [join(playwright, '..', 'cli.js'), 'install', 'chromium']);
  if (!findChromium() && existsSync('/usr/bin/apt-get') && process.getuid?.() === 0) {
    run('apt-get', ['update']);
    run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium']);
  }
  const found = findChromium();
  if (found) return found;
  throw new Error(
    'The browser tests need a Chromium, and none could be installed. Run "npx playwright install chromium", ' +
      'or install your system’s chromium package, or set CHROMIUM_PATH to a Chromium or Chrome.',
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
