/**
 * `npm run docs`: writes the parts of docs/ that repeat code, between `<!-- begin NAME -->` and `<!-- end NAME -->`.
 * `--check` changes nothing and ends with 1 if a document is old.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { runnerImport } from 'vite';
import { serviceUnit } from './service-unit.js';

/** @param {string} path */
const load = async (path) => (await runnerImport(resolve(path), { configFile: false })).module;
const { SETTING_DESCRIPTIONS } = await load('app/config/setting-descriptions.ts');

/** Makes the text of a block from the word after its name. @type {Record<string, (argument: string) => string>} */
const BLOCKS = {
  settings: (group) =>
    table(
      ['name', 'default', 'meaning'],
      Object.entries(SETTING_DESCRIPTIONS[group]).map(([name, { default: value, meaning }]) => [
        `\`${name}\``,
        value,
        meaning,
      ]),
    ),
  'service-unit': () =>
    `\`\`\`ini\n${serviceUnit('/usr/bin/node', '/usr/lib/node_modules/airboard/scripts/airboard.js')}\`\`\``,
};

const isCheck = process.argv.includes('--check');
const old = [];
for (const name of readdirSync('docs').filter((file) => file.endsWith('.md'))) {
  const path = `docs/${name}`;
  const text = readFileSync(path, 'utf8');
  const generated = text.replace(
    /^<!-- begin (([\w-]+)(?: (.+))?) -->\n[\s\S]*?^<!-- end \1 -->$/gm,
    (_, block, kind, argument) =>
      `<!-- begin ${block} -->\n\n${BLOCKS[kind]?.(argument)}\n\n<!-- end ${block} -->`,
  );
  if (generated === text) continue;
  old.push(path);
  if (!isCheck) writeFileSync(path, generated);
}
if (old.length > 0) console.log(`${isCheck ? 'Old, run "npm run docs"' : 'Written'}: ${old.join(', ')}`);
process.exit(isCheck && old.length > 0 ? 1 : 0);

/**
 * @param {string[]} header
 * @param {string[][]} rows
 */
function table(header, rows) {
  return [header, header.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}
