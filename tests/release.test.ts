import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const read = (path: string) => readFileSync(path, 'utf8');
const readYaml = (path: string) => parse(read(path));
const { version } = JSON.parse(read('package.json'));

function releaseNotes(tag: string) {
  return spawnSync(process.execPath, ['.ci/release-notes.js', tag], { encoding: 'utf8' });
}

test('a release has the section of its version in the changelog as its notes', () => {
  const { stdout, status } = releaseNotes(`v${version}`);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^### \w+\n\n- /);
  expect(stdout).not.toContain('\n## ');
  const [, section = ''] = read('CHANGELOG.md').split(`## [${version}] - `);
  expect(section).toContain(stdout.trim());
});

test('a tag that is not the version of package.json is refused with the right one', () => {
  for (const tag of ['v99.0.0', version]) {
    const { stdout, stderr, status } = releaseNotes(tag);
    expect(status).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain(`it needs the tag v${version}`);
  }
});

test('the workflow has a job for each part of .ci/run, and a release waits for them', () => {
  const [, all = ''] = /^parts="(.+)"$/m.exec(read('.ci/run')) ?? [];
  const { on, jobs } = readYaml('.github/workflows/check.yml');
  expect(jobs.check.strategy.matrix.part).toEqual(all.split(' '));
  expect(on).toHaveProperty('workflow_call');
  const release = readYaml('.github/workflows/release.yml');
  expect(release.jobs.check.uses).toBe('./.github/workflows/check.yml');
  for (const job of ['image', 'publish']) expect(release.jobs[job].needs).toContain('check');
});

test('a job writes only what it publishes', () => {
  const { permissions, jobs } = readYaml('.github/workflows/release.yml');
  expect(permissions).toEqual({});
  const writes = Object.entries<{ permissions: Record<string, string> }>(jobs).flatMap(([name, job]) =>
    Object.entries(job.permissions).flatMap(([scope, access]) =>
      access === 'write' ? [`${name}: ${scope}`] : [],
    ),
  );
  expect(writes).toEqual(['image: packages', 'name-image: packages', 'publish: contents']);
});

test('Dependabot looks after npm, the image and the workflows', () => {
  const { updates } = readYaml('.github/dependabot.yml');
  const ecosystems = updates.map((update: { 'package-ecosystem': string }) => update['package-ecosystem']);
  expect(ecosystems).toEqual(['npm', 'docker', 'github-actions']);
});
