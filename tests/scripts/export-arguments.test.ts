import { afterEach, expect, test, vi } from 'vitest';
import { exportArguments } from '../../scripts/export-arguments.js';

const { argv } = process;

afterEach(() => {
  process.argv = argv;
  vi.restoreAllMocks();
});

/** Parses a command line. Returns the exit code and the printed error if it is refused. */
function read(...words: string[]) {
  process.argv = [process.execPath, 'export', ...words];
  let printed = '';
  vi.spyOn(console, 'error').mockImplementation((text) => {
    printed = text;
  });
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit ${code}`);
  });
  try {
    return exportArguments();
  } catch (error) {
    return `${(error as Error).message}: ${printed}`;
  }
}

test.each([
  [['a.csv'], 'a.csv', 'csv'],
  [['a.b/c.NDJSON'], 'a.b/c.NDJSON', 'ndjson'],
  [['a.jsonl'], 'a.jsonl', 'ndjson'],
  [['a.json'], 'a.json', 'json'],
  [['a.b/readings'], 'a.b/readings', 'csv'],
  [['a.xml', '--format', 'json'], 'a.xml', 'json'],
  [['a.csv', '--format', 'ndjson'], 'a.csv', 'ndjson'],
  [['-'], null, 'csv'],
  [[], null, 'csv'],
])('%j writes %s as %s', (words, file, format) => {
  expect(read(...words)).toMatchObject({ file, format });
});

test.each(['xml', 'gz', 'constructor'])('refuses a file .%s, and lists the formats', (ending) => {
  expect(read(`e.${ending}`)).toMatch(
    `the format "${ending}" can't be written: name the file .csv, .ndjson, .jsonl or .json, or add --format`,
  );
});
