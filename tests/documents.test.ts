import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseEnv, SETTINGS } from '../app/config/env.server';
import { parseReading } from '../app/ingest/parse-reading.server';

const read = (path: string) => readFileSync(path, 'utf8');
const paths = ['README.md', ...readdirSync('docs').map((file) => `docs/${file}`)].filter((path) =>
  path.endsWith('.md'),
);
const texts = Object.fromEntries(paths.map((path) => [path, read(path)]));
const all = Object.values(texts).join('\n');
const [readme, run] = [read('README.md'), read('docs/run.md')];
const { scripts, engines, version } = JSON.parse(read('package.json'));

/** Addresses of the route files; `api.data.ts` is served at `/api/data`, `api.openapi[.]json.ts` at `/api/openapi.json`. Splat routes have no address. */
const routes = readdirSync('app/routes')
  .map((file) => file.replace(/\.tsx?$/, ''))
  .filter((name) => !name.includes('$'))
  .map((name) => (name === '_index' ? '/' : `/${name.replaceAll(/(?<!\[)\./g, '/').replace('[.]', '.')}`));

const isTest = (script: string) => /^(dev|build|test|lint|format|typecheck|bench)/.test(script);

/** The address of a heading in its document, as GitHub makes it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (path: string) =>
  [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading as string));

describe('the README', () => {
  test('leads to every document', () => {
    const linked = [...readme.matchAll(/^\| \[(docs\/[\w-]+\.md)\]\(\1\) \|/gm)].map(([, path]) => path);
    expect(linked.toSorted()).toEqual(paths.filter((path) => path !== 'README.md').toSorted());
  });

  test('is short', () => {
    expect(readme.split('\n').length).toBeLessThan(120);
  });

  test('promises the Node that package.json asks for, and .ci/run starts the oldest one', () => {
    const [, oldest] = /^>=(\d+\.\d+)\.0$/.exec(engines.node) ?? [];
    expect(readme).toMatch(new RegExp(`Node(\\.js)? ${oldest}\\b`));
    expect(read('.ci/run')).toContain(` ${oldest}.0 `);
  });

  test('shows only pictures that exist', () => {
    const pictures = [...readme.matchAll(/\]\(([^)]+\.png)\)/g)].map(([, path]) => path as string);
    expect(pictures.length).toBeGreaterThan(0);
    for (const picture of pictures) expect(readFileSync(picture).subarray(1, 4).toString()).toBe('PNG');
  });
});

describe('the changelog', () => {
  const changelog = read('CHANGELOG.md');

  test('has the version of package.json as its newest release, below what is unreleased', () => {
    const titles = [...changelog.matchAll(/^## (.+)$/gm)].map(([, title]) => title as string);
    const [unreleased, newest] = titles;
    expect(unreleased).toBe('[Unreleased]');
    expect(newest).toMatch(new RegExp(`^\\[${version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d\\d-\\d\\d$`));
  });

  test('groups changes as Keep a Changelog does', () => {
    const groups = [...changelog.matchAll(/^### (.+)$/gm)].map(([, group]) => group as string);
    expect(groups.length).toBeGreaterThan(0);
    const known = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
    expect(groups.filter((group) => !known.includes(group))).toEqual([]);
  });
});

describe('the documents', () => {
  test.each(routes)('list the route %s', (route) => {
    const document = /^\/(api\/|healthz|metrics)/.test(route) ? 'docs/api.md' : 'docs/dashboard.md';
    expect(texts[document]).toMatch(new RegExp(`^\\| \`(GET )?${route}\` \\|`, 'm'));
  });

  test.each(SETTINGS)('list the setting %s, as does .env.example', (setting) => {
    expect(run).toMatch(new RegExp(`^\\| \`${setting}\` \\|`, 'm'));
    expect(read('.env.example')).toMatch(new RegExp(`^#? ?${setting}=`, 'm'));
  });

  test('list only settings that exist', () => {
    const named = [...run.matchAll(/^\| `([A-Z][A-Z_]+)` \|/gm)].map(([, name]) => name);
    expect(named.filter((name) => !SETTINGS.includes(name as string))).toEqual([]);
  });

  test.each(Object.keys(scripts))('list the command %s', (script) => {
    const document = isTest(script) ? 'docs/development.md' : 'docs/run.md';
    expect(texts[document]).toMatch(new RegExp(`^\\| .*\`npm (run )?${script}\\b`, 'm'));
  });

  test('mention only commands that exist', () => {
    const named = [...all.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name as string);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  test.each(['README.md', 'docs/api.md'])('show a valid post and its answer: %s', (path) => {
    const body = JSON.parse(/-d '(\{.*?\})'/.exec(texts[path] as string)?.[1] ?? '');
    const answer = JSON.parse(/^\{"id":1,.*\}$/m.exec(texts[path] as string)?.[0] ?? '');
    const { id, created_at, ...stored } = answer;
    expect(parseReading(body)).toEqual({ ok: true, reading: stored });
    expect(id).toBe(1);
    expect(new Date(created_at).toISOString()).toBe(created_at);
  });

  test('list every folder of app/, and no others', () => {
    const listed = [...(texts['docs/development.md'] as string).matchAll(/^\| `app\/(\w+)` \|/gm)];
    const folders = readdirSync('app', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(listed.map(([, name]) => name).sort()).toEqual(folders.map(({ name }) => name).sort());
  });

  test.each(readdirSync('tests/torture'))('give the figures of tests/torture/%s', (file) => {
    expect(texts['docs/promises.md']).toContain(`tests/torture/${file}`);
  });

  test.each(paths)('refer only to files and headings that exist: %s', (path) => {
    const text = texts[path] as string;
    const named = [...text.matchAll(/`((?:docs|tests)\/[^`]*)`/g)].map(([, file]) => file as string);
    expect(named.filter((file) => !existsSync(file))).toEqual([]);
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)];
    const broken = links.filter(([, file, anchor]) => {
      const target = file ? relative('.', join(dirname(path), file)) : path;
      return !existsSync(target) || (anchor && !anchorsOf(target).includes(anchor));
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });
});

test('docs/import.md says how many readings a minute a server takes', () => {
  const { POSTS_PER_MINUTE } = parseEnv({});
  expect(texts['docs/import.md']).toContain(`${POSTS_PER_MINUTE.toLocaleString('en')} readings a minute`);
});
