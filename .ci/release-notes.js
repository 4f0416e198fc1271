/** `node .ci/release-notes.js TAG`: prints the changelog of the tag's version, or says why the tag can't be released. */
import { readFileSync } from 'node:fs';

const [, , tag] = process.argv;
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
if (tag !== `v${version}`)
  fail(`The tag is ${tag}, but package.json has the version ${version}: it needs the tag v${version}.`);
const sections = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m);
const section = sections.find((text) => text.startsWith(`[${version}] - `));
if (!section)
  fail(`CHANGELOG.md has no section [${version}]: give the one of this release that title, with its date.`);
console.log(section.slice(section.indexOf('\n')).trim());

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  console.error(message);
  process.exit(1);
}
