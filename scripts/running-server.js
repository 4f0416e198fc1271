/** Lists and changes sensors through the API of a running server. Its keys come from the environment or `.env`. */
import { pathToFileURL } from 'node:url';
import Database from 'libsql';
import { commandLine } from '../app/config/installation.server.js';
import { counted } from '../app/readings/format/counted.js';
import { apiAddress, keyHeader, nextPage } from './arguments.js';
import { fail, problemText } from './fail.js';

/** A deletion of millions of readings takes minutes. */
const TIMEOUT_MS = 600_000;

/** @typedef {{ name: string, first_heard: string, last_heard: string, group: string, place: string, note: string, is_hidden: boolean, silent_after_seconds: number | null }} Sensor */
/** @typedef {{ sensor: string, from?: string, to?: string }} Span */

/**
 * Sends a request, and returns the JSON of the answer and its headers. Without a server, or if it refuses, exits with code 1.
 *
 * @param {string} url of the server
 * @param {string} method
 * @param {string} path with a query
 * @param {object} [body]
 */
async function ask(url, method, path, body) {
  return askAddress(apiAddress(url, path), url, method, body);
}

/** @param {URL} address @param {string} url @param {string} method @param {object} [body] */
async function askAddress(address, url, method, body) {
  try {
    const response = await fetch(address, {
      method,
      headers: { 'Content-Type': 'application/json', ...keyHeader() },
      body: body && JSON.stringify(body),
      // Following a redirect could send the key to another host.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answer = await response.json().catch(() => ({}));
    if (response.ok) return { answer, headers: response.headers };
    return fail(problemText(response.status, answer), 1);
  } catch (error) {
    const { message, cause } = /** @type {Error & { cause?: NodeJS.ErrnoException }} */ (error);
    const reason = cause?.code ?? cause?.message ?? message;
    return fail(`No server answers at ${url} (${reason}). Start it, or name another one with --url.`, 1);
  }
}

/**
 * Returns true if the server at an address uses a database: it has the last stored reading.
 *
 * @param {string} url
 * @param {string | null} file null for a server that uses a Supabase project
 */
export async function isServerOf(url, file) {
  try {
    const get = async (/** @type {string} */ path) =>
      (
        await fetch(apiAddress(url, path), { headers: keyHeader(), signal: AbortSignal.timeout(ANSWER_MS) })
      ).json();
    if (file === null) return (await get('/healthz')).store === 'supabase';
    const last = lastReadingIn(file);
    const readings = last && (await get(`/api/data?after=${last.id - 1}&limit=${LATER_READINGS}`));
    return Boolean(
      readings?.some(
        (/** @type {{ id: number, created_at: string }} */ { id, created_at }) =>
          id === last?.id && Date.parse(created_at) === Math.floor(last.created_at / 1000),
      ),
    );
  } catch {
    return false;
  }
}

const ANSWER_MS = 10_000;
/** Readings that may arrive between the two looks. */
const LATER_READINGS = 1000;

/** @param {string} file @returns {{ id: number, created_at: number } | undefined} */
function lastReadingIn(file) {
  const database = new Database(`${pathToFileURL(file)}?mode=ro`);
  try {
    const [row] = database.prepare('select id, created_at from data order by id desc limit 1').all();
    return /** @type {{ id: number, created_at: number } | undefined} */ (row);
  } finally {
    database.close();
  }
}

/** Returns all sensors of a server, by name. @param {string} url @returns {Promise<Sensor[]>} */
export async function sensorsOf(url) {
  const sensors = [];
  /** @type {URL | null} */
  let next = apiAddress(url, '/api/sensors');
  while (next) {
    const { answer, headers } = await askAddress(next, url, 'GET');
    sensors.push(...answer);
    next = nextPage(next, headers);
  }
  return sensors.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Changes a sensor, as `PATCH /api/sensors` does.
 *
 * @param {string} url
 * @param {string} sensor
 * @param {object} changes
 * @param {boolean} [isMerge] gives the readings to the sensor that has the new name
 */
export async function changeSensor(url, sensor, changes, isMerge = false) {
  const query = new URLSearchParams({ sensor, ...(isMerge && { merge: 'true' }) });
  await ask(url, 'PATCH', `/api/sensors?${query}`, changes);
}

/** Returns the number of readings in a span. @param {string} url @param {Span} span @returns {Promise<number>} */
export async function countReadings(url, span) {
  const { answer } = await ask(url, 'GET', `/api/summary?${new URLSearchParams(given(span))}`);
  return answer.readings;
}

/** Deletes the readings of a span, and prints how to bring them back. @param {string} url @param {Span} span */
export async function deleteReadings(url, span) {
  const { answer } = await ask(url, 'DELETE', `/api/data?${new URLSearchParams(given(span))}`);
  const deleted = `${counted(answer.deleted, 'reading')} of ${JSON.stringify(span.sensor)} deleted.`;
  const restore = commandLine('sensors', `restore ${answer.restore}`);
  console.log(
    answer.restore ? `${deleted} Until ${answer.until}, this brings them back: ${restore}` : deleted,
  );
}

/** Brings the readings of a deletion back. @param {string} url @param {string} id */
export async function restoreReadings(url, id) {
  const { answer } = await ask(url, 'POST', `/api/restore?${new URLSearchParams({ id })}`);
  const { restored, conflicts = 0 } = answer;
  const stay =
    conflicts > 0 ? ` ${conflicts} stay deleted, because the sensor has others at their times.` : '';
  console.log(`${counted(restored, 'reading')} back.${stay}`);
}

/** Leaves out the ends without a time. @param {Span} span @returns {Record<string, string>} */
const given = ({ sensor, from, to }) => ({ sensor, ...(from && { from }), ...(to && { to }) });
