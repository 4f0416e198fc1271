/**
 * Checks the requirements of every command before anything else is loaded. Old versions of Node have to run this file, so it
 * uses only syntax and APIs of Node 12.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../root-folder.js';

/** Exits with code 1 and a message if Node is too old, or if the installed packages don't match the lock file. */
export function checkRequirements() {
  endIf(nodeProblem() || packagesProblem());
}

/** Exits with code 1 and a message if Node is too old. */
export function checkNode() {
  endIf(nodeProblem());
}

/** @param {string | false | null} problem */
function endIf(problem) {
  if (!problem) return;
  console.error(`[airboard] can't start: ${problem}`);
  process.exit(1);
}

function nodeProblem() {
  const least = readJson('package.json').engines.node.replace('>=', '');
  const [major = 0, minor = 0] = least.split('.').map(Number);
  const [ownMajor = 0, ownMinor = 0] = process.versions.node.split('.').map(Number);
  const isOlder = ownMajor < major || (ownMajor === major && ownMinor < minor);
  return (
    isOlder && `Node ${least} or newer is needed, and this is ${process.versions.node}. Install a newer Node.`
  );
}

/** Compares `package-lock.json` with npm's record of the installed packages, which other installers don't write. */
function packagesProblem() {
  if (!existsSync(join(ROOT, 'node_modules'))) return 'its packages are not installed. Run: npm ci';
  const wanted = readPackages('package-lock.json');
  const installed = readPackages('node_modules/.package-lock.json');
  if (!wanted || !installed) return null;
  const hasBuildTools = 'node_modules/@remix-run/dev' in installed;
  const isWrong = (/** @type {string} */ path) => {
    const found = installed[path];
    const { version, dev, optional, devOptional, peer } = wanted[path];
    if (found) return found.version !== version;
    return !optional && !devOptional && !peer && (!dev || hasBuildTools);
  };
  const [first, ...others] = Object.keys(wanted).filter((path) => path !== '' && isWrong(path));
  if (!first) return null;
  const name = first.replace(/.*node_modules\//, '');
  const found = installed[first];
  const instead = found ? `${found.version} is installed` : 'it is not installed';
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  return `package-lock.json asks for ${name} ${wanted[first].version}, and ${instead}${more}. Run: npm ci`;
}

/** @param {string} path @returns {any} the packages by folder, or null if there is no such file */
function readPackages(path) {
  return existsSync(join(ROOT, path)) ? readJson(path).packages : null;
}

/** @param {string} path */
function readJson(path) {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}
