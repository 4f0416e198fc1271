import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { DEFAULT_PORT } from '../app/config/installation.server.js';

const read = (path: string) => readFileSync(path, 'utf8');

const dockerfile = read('Dockerfile');
const composeText = read('compose.yaml');
const compose = parse(composeText);
const { airboard } = compose.services;

/** Returns the arguments of the last instruction with this name. Earlier ones may belong to the build stage. */
function instruction(name: string): string {
  const [, words] = [...dockerfile.matchAll(new RegExp(`^${name} (.+)$`, 'gm'))].at(-1) ?? [];
  if (!words) throw new Error(`the Dockerfile has no ${name}`);
  return words;
}

const volume = instruction('VOLUME');
const healthCheck: string[] = JSON.parse(instruction('HEALTHCHECK').replace(/^.*? CMD /, ''));

test('the image keeps readings in its only volume, as a user with write access', () => {
  const [, databasePath = ''] = /DATABASE_PATH=(\S+)/.exec(instruction('ENV')) ?? [];
  expect(dirname(databasePath)).toBe(volume);
  expect(instruction('USER')).toBe('node');
  expect(dockerfile).toContain(`COPY --from=package --chown=node:node ${volume} ${volume}\n`);
  expect(airboard.volumes).toEqual([`data:${volume}`]);
  expect(Object.keys(compose.volumes)).toEqual(['data']);
});

test('the image runs the command of the package, at its default port', () => {
  expect(JSON.parse(instruction('ENTRYPOINT'))).toEqual(['airboard']);
  expect(read('scripts/package.js')).toContain("bin: { airboard: 'scripts/airboard.js' }");
  expect(instruction('STOPSIGNAL')).toBe('SIGTERM');
  expect(Number(instruction('EXPOSE'))).toBe(DEFAULT_PORT);
  expect(airboard.ports).toEqual([`${DEFAULT_PORT}:${DEFAULT_PORT}`]);
});

test('compose.yaml names existing settings only, even in its comments', () => {
  const [, block = ''] = /^ {4}environment:\n((?: {6}.+\n)+)/m.exec(composeText) ?? [];
  const names = [...block.matchAll(/^ {6}(?:# )?([A-Z_\d]+):/gm)].map(([, name]) => name);
  expect(names).toEqual(expect.arrayContaining(['RANDOM_POSTS', 'WRITE_KEY']));
  for (const name of names) expect(read('docs/settings.md')).toContain(`\n| \`${name}\` |`);
  for (const value of Object.values(airboard.environment)) expect(value).toBeTypeOf('string');
});

test('the build context contains the packed files, and no settings, readings or history of the project', () => {
  const ignored = read('.dockerignore').split('\n');
  expect(ignored).toEqual(expect.arrayContaining(['.env', '.git', 'data', 'node_modules', 'build']));
  const [, list = ''] = /const FILES = \[(.+?)\]/s.exec(read('scripts/package.js')) ?? [];
  const packed = [...list.matchAll(/'([^']+)'/g)].map(([, path]) => (path as string).split('/')[0] as string);
  expect(packed).toContain('docs');
  const sources = [...packed.filter((path) => path !== 'build'), 'app', 'public', 'scripts'];
  for (const path of sources) {
    expect(existsSync(path)).toBe(true);
    expect(ignored).not.toContain(path);
  }
});

test.each([
  ['passes', 200, 0],
  ['fails', 503, 1],
])('the health check %s if /healthz answers with %d', async (_, status, code) => {
  expect(existsSync('app/routes/healthz.ts')).toBe(true);
  const server = createServer(({ url }, response) => {
    response.writeHead(url === '/healthz' ? status : 404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  expect(await checkHealth((server.address() as AddressInfo).port)).toBe(code);
  server.close();
});

test('the health check fails if nothing listens', async () => {
  expect(await checkHealth(1)).toBe(1);
});

/** Runs the image's health check for a server at a port of this machine, and returns its exit code. */
async function checkHealth(port: number) {
  const [program, ...args] = healthCheck;
  expect(program).toBe('node');
  const check = spawn(process.execPath, args, { env: { ...process.env, PORT: String(port) } });
  const [code] = await once(check, 'exit');
  return code;
}
