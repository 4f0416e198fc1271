/** Reads the beginning of a file, and recognizes files that aren't text. */
import { closeSync, openSync, readSync } from 'node:fs';
import { commandLine } from '../../app/config/installation.server.js';
import { ImportError } from '../fail.js';
import { shellQuoted } from './propose.js';

const SAMPLE_BYTES = 256 * 1024;

/** The first bytes of files that aren't text, as Latin-1, and what to do with them. @type {{ starts: string[], advice: (file: string) => string }[]} */
const OTHER_FILES = [
  {
    starts: ['SQLite format 3'],
    advice: (file) =>
      `is a database, such as a backup. Of another program's database, export a table as CSV. To replace the current database with the file: ${commandLine('restore', shellQuoted(file))}`,
  },
  {
    starts: ['\x1f\x8b'],
    advice: (file) => `is compressed with gzip. Unpack it first: gunzip -k ${shellQuoted(file)}`,
  },
  { starts: ['PK\x03\x04'], advice: () => 'is a ZIP archive. Unpack it, and import the file in it' },
  {
    starts: ['\xd0\xcf\x11\xe0'],
    advice: () => 'is a spreadsheet of an old Excel. Open it there, and save the sheet as "CSV UTF-8"',
  },
  {
    starts: ['BZh', '\xfd7zXZ', '7z\xbc\xaf', '\x28\xb5\x2f\xfd', 'Rar!'],
    advice: () => 'is compressed. Unpack it first',
  },
  { starts: ['%PDF'], advice: () => 'is a PDF. Export the readings as CSV' },
  {
    starts: ['<!', '<html', '<?xml'],
    advice: () => 'is a web page or XML, not a table. Export the readings as CSV',
  },
  { starts: ['\xfe\xff'], advice: () => 'is UTF-16 with the high byte first. Save it as "CSV UTF-8"' },
];

/** Returns what to do with a file that isn't text; undefined for text. @param {string} start @param {string} file */
function adviceFor(start, file) {
  if (start.startsWith('PK') && /xl\/|\[Content_Types\]|opendocument/.test(start)) {
    return 'is a spreadsheet. Open it there, and save the sheet as "CSV UTF-8"';
  }
  return OTHER_FILES.find(({ starts }) => starts.some((text) => start.startsWith(text)))?.advice(file);
}

/** @param {string} file */
function firstBytes(file) {
  const buffer = Buffer.alloc(SAMPLE_BYTES);
  const descriptor = openSync(file, 'r');
  const length = readSync(descriptor, buffer);
  closeSync(descriptor);
  return buffer.subarray(0, length);
}

/** @param {Buffer} bytes */
const hasUtf16Mark = (bytes) => bytes[0] === 0xff && bytes[1] === 0xfe;

/**
 * Returns a file's encoding: UTF-8, or UTF-16 with a byte order mark, as Excel's "Unicode text" and PowerShell's `>` write it.
 *
 * @param {string} file
 * @returns {'utf8' | 'utf16le'}
 */
export const encodingOf = (file) => (hasUtf16Mark(firstBytes(file)) ? 'utf16le' : 'utf8');

/**
 * Returns the text of a file's first `SAMPLE_BYTES`.
 *
 * @param {string} file
 * @throws {ImportError} if it isn't text, or in another encoding
 */
export function readSample(file) {
  const bytes = firstBytes(file);
  const advice = adviceFor(bytes.toString('latin1', 0, 4096), file);
  if (advice) throw new ImportError(`the file ${advice}`);
  // An AirVisual Pro reserves the end of its file with zeros.
  const text = textOf(bytes).replace(/\0+$/, '');
  if (!text.includes('\0')) return text;
  throw new ImportError(
    'the file is not text, or neither UTF-8 nor UTF-16 with a byte order mark. Save it as "CSV UTF-8"',
  );
}

/** @param {Buffer} bytes */
function textOf(bytes) {
  if (hasUtf16Mark(bytes)) return bytes.toString('utf16le');
  try {
    // A character may continue beyond the sample.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true });
  } catch {
    const [, before = ''] = /(\S*)\uFFFD/.exec(bytes.toString('utf8')) ?? [];
    throw new ImportError(
      `the file is not UTF-8: the letter after "${before}" is in another encoding. In Excel, save it as "CSV UTF-8"; elsewhere, convert it, such as with iconv -f WINDOWS-1252 -t UTF-8`,
    );
  }
}
