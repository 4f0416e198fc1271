import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { temporaryFolder } from './server';
import { until } from './until';

/** The machine with airboard in all recipes. */
const ADDRESS = 'http://192.168.1.20:3000';

/** Returns the code blocks of a document below a heading, for a server at this address. */
export function recipesBelow(path: string, heading: string, url: string): string[] {
  const [, section = ''] = readFileSync(path, 'utf8').split(new RegExp(`^#+ ${heading}\\n`, 'm'));
  const [text = ''] = section.split(/^##+ /m);
  const blocks = [...text.matchAll(/^```\w*\n(.*?)^```$/gms)];
  return blocks.map(([, code = '']) => code.replaceAll(ADDRESS, url));
}

/** Tells whether a program can be run. */
export function isInstalled(program: string, ...options: string[]): boolean {
  try {
    execFileSync(program, options, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Compiles an Arduino sketch for this machine, and runs it for so many seconds of its own clock. */
export function runSketch(
  sketch: string,
  { onlineAfterS, forS }: { onlineAfterS: number; forS: number },
): void {
  const folder = temporaryFolder();
  for (const header of ['HTTPClient.h', 'WiFi.h'])
    writeFileSync(join(folder, header), '#include "board.h"\n');
  // Arduino's builder declares functions before their first use, too.
  const declarations = [...sketch.matchAll(/^(?:void|float|int) \w+\(.*?\)(?= \{)/gm)].map(
    ([line]) => `${line};\n`,
  );
  const sensor = sketch.includes('float readCo2()')
    ? ''
    : 'float readCo2() { return 415; }\nfloat readVoc() { return 120; }\n';
  writeFileSync(
    join(folder, 'sketch.cpp'),
    `#include "board.h"\nstruct Reading;\n${declarations.join('')}${sensor}${sketch}`,
  );
  const program = join(folder, 'sketch');
  const include = ['-I', folder, '-I', resolve('tests/support/arduino')];
  execFileSync('g++', ['-std=c++17', ...include, join(folder, 'sketch.cpp'), '-o', program], {
    stdio: 'pipe',
  });
  const startedAt = Math.floor(Date.now() / 1000) - 3600;
  const [WIFI_AT, STOP_AT, STARTED_AT] = [onlineAfterS * 1000, forS * 1000, startedAt].map(String);
  execFileSync(program, [], { env: { NODE_ENV: 'test', WIFI_AT, STOP_AT, STARTED_AT }, timeout: 60_000 });
}

/** Runs a program that doesn't end until something is so, with modules that only boards have. */
export async function runPython(
  code: string,
  isDone: () => Promise<boolean>,
  modules: Record<string, string> = {},
) {
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(modules)) writeFileSync(join(folder, `${name}.py`), text);
  writeFileSync(join(folder, 'recipe.py'), code);
  const child = spawn('python3', [join(folder, 'recipe.py')], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  try {
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`the recipe ended:\n${output}`);
      return isDone();
    });
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit').catch(() => {});
  }
}
