import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SETTINGS } from '../app/config/env.server';
import { SETTING_DESCRIPTIONS } from '../app/config/setting-descriptions';

const read = (path: string) => readFileSync(path, 'utf8');
const documents = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...markdownIn('docs'),
  ...markdownIn('docs/decisions'),
  ...markdownIn('docs/devices'),
];
const readme = read('README.md');
const { scripts, engines, version } = JSON.parse(read('package.json'));

function markdownIn(folder: string): string[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.md'));
  return files.map((file) => `${folder}/${file}`);
}

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(path: string): string[] {
  return [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('the README', () => {
  test('links to every document', () => {
    const linked = [...readme.matchAll(/\]\((docs\/[\w-]+\.md)\)/g)].map(([, path]) => path);
    expect(linked).toEqual(expect.arrayContaining(markdownIn('docs')));
  });

  test('links to the comparison of devices, which links to each of their documents', () => {
    const [index, ...devices] = markdownIn('docs/devices');
    expect(index).toBe('docs/devices/README.md');
    expect(readme).toContain(`(${index})`);
    for (const device of devices) expect(read('docs/devices/README.md')).toContain(`](${basename(device)})`);
  });

  test('is short', () => {
    expect(readme.split('\n').length).toBeLessThan(120);
  });

  test('names the Node version of package.json, and .ci/run tests it', () => {
    const [, oldest] = /^>=(\d+\.\d+)\.0$/.exec(engines.node) ?? [];
    expect(readme).toMatch(new RegExp(`Node(\\.js)? ${oldest}\\b`));
    expect(read('.ci/run')).toContain(` ${oldest}.0 `);
  });

  test('shows only pictures that exist', () => {
    const pictures = [...readme.matchAll(/\]\(([^)]+\.png)\)/g)].map(([, path = '']) => path);
    expect(pictures.length).toBeGreaterThan(0);
    for (const picture of pictures) expect(readFileSync(picture).subarray(1, 4).toString()).toBe('PNG');
  });
});

describe('the changelog', () => {
  const changelog = read('CHANGELOG.md');

  test('has the version of package.json as its newest release, below Unreleased', () => {
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
  test.each(documents)('%s links only to files and headings that exist', (path) => {
    const text = read(path);
    const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)]+))?\)/g)];
    const broken = links.filter(([, file, anchor]) => {
      const target = file ? relative('.', join(dirname(path), file)) : path;
      return !existsSync(target) || (anchor && !anchorsOf(target).includes(anchor));
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  test.each(documents.filter((path) => !/decisions|CHANGELOG/.test(path)))(
    '%s names only files and npm scripts that exist',
    (path) => {
      const text = read(path);
      const files = [...text.matchAll(/`((?:app|bench|docs|scripts|tests)\/[\w./-]*)`/g)];
      expect(files.map(([, file = '']) => file).filter((file) => !existsSync(file))).toEqual([]);
      const named = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);
      expect(named.filter((name) => !(name in scripts))).toEqual([]);
    },
  );
});

describe('the settings', () => {
  const described = Object.values(SETTING_DESCRIPTIONS).flatMap((group) => Object.keys(group));

  test('are all described, and no others are', () => {
    expect(described.toSorted()).toEqual(SETTINGS.toSorted());
  });

  test.each(SETTINGS)('%s is in .env.example', (setting) => {
    expect(read('.env.example')).toMatch(new RegExp(`^#? ?${setting}=`, 'm'));
  });
});
