/** Sends the notes in a CSV file of `npm run export` to a running server, one after another. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import Papa from 'papaparse';
import { timeLimit } from '../../app/config/time-limit.server.js';
import { unguardFormula } from '../../app/readings/formula-guard.js';
import { apiAddress } from '../arguments.js';
import { ImportError, problemText } from '../fail.js';
import { encodingOf } from './sample.js';

const COLUMNS = /** @type {const} */ (['from', 'to', 'sensor', 'text']);
const RESPONSE_TIMEOUT_MS = 60_000;
/** Used if a busy server sends no `Retry-After`. */
const DEFAULT_RETRY_AFTER_S = 5;

/** @typedef {{ line: number, note: { sensor?: string, from: string, to: string | null, text: string } }} NoteLine */

/** Returns true if a file's header line is that of notes. @param {readonly string[]} header */
export const isNotesHeader = (header) => COLUMNS.every((column) => header.includes(column));

/**
 * Reads the notes of a file.
 *
 * @param {string} file
 * @param {string | undefined} sensor the sensor of all notes, if given
 * @returns {NoteLine[]}
 */
export function readNotes(file, sensor) {
  const text = readFileSync(file, encodingOf(file)).replace(/^\uFEFF/, '');
  const { data } = Papa.parse(text, { header: true, skipEmptyLines: true });
  return /** @type {Record<string, string>[]} */ (data).map((row, i) => {
    const name = sensor ?? unguardFormula(row.sensor ?? '');
    const note = {
      ...(name && { sensor: name }),
      from: row.from ?? '',
      to: row.to || null,
      text: unguardFormula(row.text ?? ''),
    };
    // The text of a note has no line breaks, so each row is a line. The first one is the header.
    return { line: i + 2, note };
  });
}

/**
 * Posts a note, and retries while the server is busy. The outcome of a note that is already stored is `known`.
 *
 * @param {NoteLine['note']} note
 * @param {{ url: string, key: string | undefined, signal: AbortSignal }} server
 * @returns {Promise<{ kind: 'stored' | 'known' } | { kind: 'refused', problem: string }>}
 */
export async function postNote(note, { url, key, signal }) {
  for (;;) {
    const response = await send(note, { url, key, signal });
    const { status } = response;
    const body = await response.json().catch(() => ({}));
    if (status === 201) return { kind: 'stored' };
    if (status === 200) return { kind: 'known' };
    const problem = problemText(status, body);
    if (status === 400) return { kind: 'refused', problem };
    if (status !== 429 && status !== 503) {
      throw new ImportError(`the server refuses notes: ${problem.replace(/\.$/, '')}`);
    }
    const seconds = Number(response.headers.get('Retry-After')) || DEFAULT_RETRY_AFTER_S;
    await sleep(seconds * 1000, undefined, { signal });
  }
}

/** @param {NoteLine['note']} note @param {Parameters<typeof postNote>[1]} server */
async function send(note, { url, key, signal }) {
  try {
    return await fetch(apiAddress(url, '/api/notes'), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(key && { Authorization: `Bearer ${key}` }) },
      body: JSON.stringify(note),
      redirect: 'manual',
      signal: timeLimit(RESPONSE_TIMEOUT_MS, signal),
    });
  } catch (error) {
    signal.throwIfAborted();
    const { cause, message } = /** @type {Error & { cause?: { code?: string } }} */ (error);
    throw new ImportError(`no server answers at ${url} (${cause?.code ?? message})`);
  }
}
