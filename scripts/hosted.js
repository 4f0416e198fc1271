/** Deleting readings of a Supabase project. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isConfirmed } from './database.js';
import { fail } from './fail.js';

/** Readings that one request deletes: a fraction of a second, in which no reading can be stored. */
const STEP_READINGS = 5000;
const TIMEOUT_MS = 30_000;

/**
 * Deletes the readings of a project from before a time, oldest first, in steps with pauses for other requests.
 *
 * @param {string} before ISO 8601
 * @param {boolean} yes doesn't ask
 */
export async function pruneProject(before, yes) {
  const { SUPABASE_URL: address = '', SUPABASE_SECRET_KEY: key } = process.env;
  if (!key) {
    fail(
      "Nothing was deleted: set SUPABASE_SECRET_KEY, since the public key may not delete a project's readings.",
      1,
    );
  }
  const host = URL.canParse(address) ? new URL(address).host : fail('SUPABASE_URL is not an address.', 1);
  let deleted = 0;

  async function deleteSome() {
    const headers = { apikey: key ?? '', Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ before, at_most: STEP_READINGS });
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const response = await fetch(new URL('/rest/v1/rpc/prune_readings', address), {
        method: 'POST',
        headers,
        body,
        signal,
        // A redirect would get the key.
        redirect: 'manual',
      });
      const answer = await response.json();
      if (response.ok) return Number(answer);
      const advice =
        answer.code === 'PGRST202'
          ? 'The project lacks the migration 20261124093000_prune.sql. Apply supabase/migrations to it. If it is ' +
            "applied, run in the SQL editor: notify pgrst, 'reload schema'"
          : `${response.status} ${answer.message ?? ''}`;
      return fail(`${deleted} readings were deleted, then Supabase refused: ${advice}`, 1);
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      return fail(
        `${deleted} readings were deleted, then ${host} didn't answer (${message}). Run it again.`,
        1,
      );
    }
  }

  if (!(await isConfirmed(`Delete all readings from before ${before} from ${host} for good?`, yes))) return;
  for (;;) {
    const begun = performance.now();
    const step = await deleteSome();
    deleted += step;
    if (step < STEP_READINGS) break;
    console.log(`${deleted} readings deleted so far`);
    // Posts that have waited come first.
    await sleep(performance.now() - begun);
  }
  console.log(
    `${deleted} readings from before ${before} deleted from ${host}. New readings use their space.`,
  );
}
