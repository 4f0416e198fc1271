import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import remixConfig from '../../../remix.config.js';
import { SETTLED, settle } from '../../../scripts/build/settle-remix.js';
import { readSources } from '../../support/sources';

const modules = Object.keys(SETTLED).map((path) => `node_modules/${path}`);

test('refuses a module that lacks what is to be replaced, and leaves other modules as they are', () => {
  expect(() => settle('export {};', `/${modules[0]}`)).toThrow('browser.js lacks');
  expect(settle('future.v3_singleFetch', '/app/root.tsx')).toBe('future.v3_singleFetch');
});

test('each replacement finds its text in the installed Remix', () => {
  expect(modules.length).toBeGreaterThan(5);
  for (const path of modules) {
    const code = readFileSync(path, 'utf8');
    expect(settle(code, `/${path}`), path).not.toBe(code);
  }
});

test('every flag that these modules read is set', () => {
  const flags = modules.flatMap((path) => readFileSync(path, 'utf8').match(/\bv3_\w+/g) ?? []);
  expect(flags).toContain('v3_singleFetch');
  for (const flag of flags) expect(remixConfig.future, flag).toHaveProperty(flag, true);
});

/** Names of Remix that need what the build drops. */
const NEEDS_DROPPED = [
  ...['Await', 'Form', 'HydrateFallback', 'PrefetchPageLinks', 'clientLoader', 'defer', 'prefetch'],
  ...['useFetcher', 'useFetchers', 'useFormAction', 'useSubmit'],
];

test('the app uses nothing that the build drops', () => {
  const users = readSources().filter(({ packages }) =>
    packages.some((name) => name.startsWith('@remix-run/')),
  );
  expect(users.length).toBeGreaterThan(5);
  const uses = users.flatMap(({ path, names }) =>
    NEEDS_DROPPED.filter((name) => names.has(name)).map((name) => `${path}: ${name}`),
  );
  expect(uses).toEqual([]);
});
