/** The lines that an import refused, on the screen and in a file. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { basename } from 'node:path';

/** The most lines that are printed. */
const SHOWN = 20;

/**
 * Prints the first refused lines. All of them are written to `errors`, or if there are more than are printed, to a file in
 * the current folder.
 *
 * @param {{ file: string, errors: string | undefined, print: (message: string) => void }} options
 */
export function refusedLines({ file, errors, print }) {
  /** Lines that are in no file yet. @type {string[]} */
  let waiting = [];
  let count = 0;
  /** @type {number | null} */
  let opened = null;
  const target = errors ?? `${basename(file)}.refused.txt`;

  function write() {
    opened ??= openSync(target, 'w');
    writeSync(opened, waiting.join(''));
    waiting = [];
  }

  return {
    /** @param {number} line @param {string} problem */
    add(line, problem) {
      count += 1;
      if (count <= SHOWN) print(`line ${line}: refused: ${problem}`);
      waiting.push(`line ${line}: ${problem}\n`);
      if (errors !== undefined || count > SHOWN) write();
    },
    /** Closes the file, and prints where it is. */
    end() {
      if (opened === null) return;
      closeSync(opened);
      print(`All refused lines are in ${target}.`);
    },
  };
}
