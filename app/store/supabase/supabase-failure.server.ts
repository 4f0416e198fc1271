import { ReadingRejectedError, StoreUnavailableError } from '../reading-store';
import type { PostgrestResult } from './supabase-queries.server';

interface Project {
  host: string;
  /** The key that was used: no message may hold it. */
  key: string;
}

/** What only a person can mend is asked for less often. */
const MENDED_BY_HAND_SECONDS = 30;

const MIGRATE = 'Apply supabase/migrations to the project.';
const LOOK = 'If it stays so, the project may be paused: open it at supabase.com/dashboard and restore it.';

/** Network errors that come before the request has left this machine. */
const NOT_SENT =
  /\((ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_\w+|\w*CERT\w*)\)/;

/** Codes after which the transaction may have been committed all the same. */
const DOUBTFUL_CODE = /^(08|57P|40003|PGRST001)/;

/** Why a query failed, in words for a person, and what to do. */
export function failureOf(answer: PostgrestResult, project: Project): StoreUnavailableError {
  const [reason, byHand] = reasonOf(answer, project);
  return new StoreUnavailableError(reason, byHand ? MENDED_BY_HAND_SECONDS : undefined);
}

/** The same for an insert, and what became of the reading: a failed one is never taken for stored. */
export function insertFailureOf(
  answer: PostgrestResult,
  project: Project,
): StoreUnavailableError | ReadingRejectedError {
  const { code = '', message = '' } = answer.error ?? {};
  // A wrong value, or one that a constraint of the table does not allow.
  if (/^2[23]/.test(code)) {
    return new ReadingRejectedError(`The database refused the reading: ${withoutKey(message, project)}.`);
  }
  const { message: reason, retryAfterSeconds } = failureOf(answer, project);
  const mayBeStored = isDoubtful(answer);
  const outcome = mayBeStored
    ? 'It is not known whether the reading was stored.'
    : 'The reading was not stored.';
  return new StoreUnavailableError(`${reason} ${outcome}`, retryAfterSeconds, mayBeStored);
}

function isDoubtful({ status, error }: PostgrestResult): boolean {
  if (status === 0) return !NOT_SENT.test(error?.details ?? '');
  if (status < 300) return true;
  // With a code of Postgres or PostgREST the transaction was rolled back; without one, a gateway gave up.
  if (error?.code) return DOUBTFUL_CODE.test(error.code);
  return status === 408 || (status >= 500 && status !== 540);
}

function reasonOf({ status, error }: PostgrestResult, project: Project): [reason: string, byHand?: boolean] {
  const { code = '', message = '', details = '' } = error ?? {};
  if (status === 0) return [networkReason(message, details, project)];
  if (code === '42501') {
    return /row-level security/.test(message)
      ? [`Supabase’s key may not add readings: no policy allows it. ${MIGRATE}`, true]
      : [`Supabase’s key may not use the table data: a grant is missing. ${MIGRATE}`, true];
  }
  if (code === '42P01' || code === 'PGRST205') {
    return [`There is no table data in the Supabase project. ${MIGRATE}`, true];
  }
  if (code === '42703' || code === 'PGRST204') {
    return [`The table data of the Supabase project lacks a column. ${MIGRATE}`, true];
  }
  if (code === '57014') return ['Supabase’s database took too long.'];
  if (status === 401 || status === 403) {
    return [
      'Supabase refuses the key. Compare the server’s SUPABASE_… keys with the project’s API keys.',
      true,
    ];
  }
  if (status === 540) {
    return ['The Supabase project is paused. Open it at supabase.com/dashboard and restore it.', true];
  }
  if (status === 429) return ['Supabase turns requests away: there are too many.'];
  if (status < 300 || (status === 404 && !code)) {
    return [`What answers at ${project.host} is not Supabase’s REST API. Check SUPABASE_URL.`, true];
  }
  const said = withoutKey(message, project).slice(0, 200);
  // A gateway answers with a page of HTML, which tells a person nothing.
  return [`Supabase answered ${status}${said && !said.includes('<') ? `: ${said}` : ''}. ${LOOK}`];
}

function networkReason(message: string, details: string, { host }: Project): string {
  if (/^(TimeoutError|AbortError)/.test(message)) return `Supabase did not answer in time. ${LOOK}`;
  if (NOT_SENT.test(details)) return `Supabase can’t be reached at ${host}. ${LOOK}`;
  return 'The connection to Supabase broke off.';
}

function withoutKey(text: string, { key }: Project): string {
  return text.replaceAll(key, '…').replace(/\.$/, '');
}
