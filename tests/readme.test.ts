import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SETTINGS } from '../app/config/env.server';
import { parseReading } from '../app/ingest/parse-reading.server';

const readme = readFileSync('README.md', 'utf8');
const example = readFileSync('.env.example', 'utf8');
const { scripts, engines } = JSON.parse(readFileSync('package.json', 'utf8'));

/** Addresses of the route files; `api.data.ts` is served at `/api/data`. Splat routes have no address. */
const routes = readdirSync('app/routes')
  .map((file) => file.replace(/\.tsx?$/, ''))
  .filter((name) => !name.includes('$'))
  .map((name) => (name === '_index' ? '/' : `/${name.replaceAll('.', '/')}`));

describe('the README', () => {
  test.each(routes)('lists the route %s', (route) => {
    expect(readme).toMatch(new RegExp(`^\\| \`(GET )?${route}\` \\|`, 'm'));
  });

  test.each(SETTINGS)('lists the setting %s, as does .env.example', (setting) => {
    expect(readme).toMatch(new RegExp(`^\\| \`${setting}\` \\|`, 'm'));
    expect(example).toMatch(new RegExp(`^#? ?${setting}=`, 'm'));
  });

  test('lists only settings that exist', () => {
    const named = [...readme.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name);
    expect(named.filter((name) => !SETTINGS.includes(name as string))).toEqual([]);
  });

  test.each(Object.keys(scripts))('mentions the command %s', (script) => {
    expect(readme).toMatch(new RegExp(`npm (run )?${script}\\b`));
  });

  test('mentions only commands that exist', () => {
    const named = [...readme.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name as string);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  test('shows a valid post and its answer', () => {
    const body = JSON.parse(/-d '(\{.*?\})'/.exec(readme)?.[1] ?? '');
    const answer = JSON.parse(/^\{"id":1,.*\}$/m.exec(readme)?.[0] ?? '');
    const { id, created_at, ...stored } = answer;
    expect(parseReading(body)).toEqual({ ok: true, reading: stored });
    expect(id).toBe(1);
    expect(new Date(created_at).toISOString()).toBe(created_at);
  });

  test('promises the Node that package.json asks for, and .ci/run starts the oldest one', () => {
    const [, oldest] = /^>=(\d+\.\d+)\.0$/.exec(engines.node) ?? [];
    expect(readme).toMatch(new RegExp(`Node(\\.js)? ${oldest}\\b`));
    expect(readFileSync('.ci/run', 'utf8')).toContain(` ${oldest}.0 `);
  });

  test.each(readdirSync('tests/torture'))('gives the figures of tests/torture/%s', (file) => {
    expect(readme).toContain(`tests/torture/${file}`);
  });

  test('refers only to files that exist', () => {
    const links = [
      ...readme.matchAll(/\]\((?!http|#)([^)#]+)/g),
      ...readme.matchAll(/`((?:docs|tests)\/[^`]*)`/g),
    ];
    expect(links.map(([, path]) => path as string).filter((path) => !existsSync(path))).toEqual([]);
  });

  test('shows only pictures that exist', () => {
    const pictures = [...readme.matchAll(/\]\(([^)]+\.png)\)/g)].map(([, path]) => path as string);
    expect(pictures.length).toBeGreaterThan(0);
    for (const picture of pictures) expect(readFileSync(picture).subarray(1, 4).toString()).toBe('PNG');
  });
});
