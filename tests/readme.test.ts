import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SETTINGS } from '../app/config/env.server';
import { parseReading } from '../app/ingest/parse-reading.server';

const readme = readFileSync('README.md', 'utf8');
const example = readFileSync('.env.example', 'utf8');
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));

/** `api.data.ts` is served at `/api/data`; a splat route only answers what nothing else does. */
const routes = readdirSync('app/routes')
  .map((file) => file.replace(/\.tsx?$/, ''))
  .filter((name) => !name.includes('$'))
  .map((name) => (name === '_index' ? '/' : `/${name.replaceAll('.', '/')}`));

describe('the README', () => {
  test.each(routes)('has the route %s in its table', (route) => {
    expect(readme).toMatch(new RegExp(`^\\| \`(GET )?${route}\` \\|`, 'm'));
  });

  test.each(SETTINGS)('has the setting %s in its table, and so has .env.example', (setting) => {
    expect(readme).toMatch(new RegExp(`^\\| \`${setting}\` \\|`, 'm'));
    expect(example).toMatch(new RegExp(`^#? ?${setting}=`, 'm'));
  });

  test('has no setting that the code does not know', () => {
    const named = [...readme.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name);
    expect(named.filter((name) => !SETTINGS.includes(name as string))).toEqual([]);
  });

  test.each(Object.keys(scripts))('names the command %s', (script) => {
    expect(readme).toMatch(new RegExp(`npm (run )?${script}\\b`));
  });

  test('names only commands that exist', () => {
    const named = [...readme.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name as string);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  test('posts a reading that is accepted, and shows the answer that it gets', () => {
    const body = JSON.parse(/-d '(\{.*?\})'/.exec(readme)?.[1] ?? '');
    const answer = JSON.parse(/^\{"id":1,.*\}$/m.exec(readme)?.[0] ?? '');
    const { id, created_at, ...stored } = answer;
    expect(parseReading(body)).toEqual({ ok: true, reading: stored });
    expect(id).toBe(1);
    expect(new Date(created_at).toISOString()).toBe(created_at);
  });

  test.each(readdirSync('tests/torture'))('tells what tests/torture/%s measured', (file) => {
    expect(readme).toContain(`tests/torture/${file}`);
  });

  test('leads to files that are there', () => {
    const links = [
      ...readme.matchAll(/\]\((?!http|#)([^)#]+)/g),
      ...readme.matchAll(/`((?:docs|tests)\/[^`]*)`/g),
    ];
    expect(links.map(([, path]) => path as string).filter((path) => !existsSync(path))).toEqual([]);
  });

  test('shows pictures that are there', () => {
    const pictures = [...readme.matchAll(/\]\(([^)]+\.png)\)/g)].map(([, path]) => path as string);
    expect(pictures.length).toBeGreaterThan(0);
    for (const picture of pictures) expect(readFileSync(picture).subarray(1, 4).toString()).toBe('PNG');
  });
});
