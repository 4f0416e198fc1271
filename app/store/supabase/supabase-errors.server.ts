import type { ReadingInput } from '../../readings/reading';
import { ReadingRejectedError, StoreUnavailableError } from '../reading-store';
import { ANSWER_MIB, ANSWER_TOO_LARGE, type PostgrestResult } from './supabase-queries.server';

export interface Project {
  host: string;
  /** The key that was used. Messages never contain it. */
  key: string;
  /** The time of the project's last response, by `performance.now()`. */
  answeredAt?: number;
}

/** A project that answered within this time is slow rather than paused. */
const ALIVE_MS = 60_000;

/** `Retry-After` for faults that a person has to fix. */
const FIX_SECONDS = 30;

const MIGRATE = 'Apply supabase/migrations to the project.';
/** The API's schema cache may be older than the migration. */
const RELOAD = "If it is applied, run in the SQL editor: notify pgrst, 'reload schema'";
/** The migration that adds the column `sensor` and the functions `insert_readings` and `sensors`. */
const SENSORS_MIGRATION = '20261122090000_sensors_and_times.sql';
/** The migration that adds the function `history`. */
const HISTORY_MIGRATION = '20261122120000_history.sql';
/** The migration that adds the function `summary`. */
const SUMMARY_MIGRATION = '20261124100000_summary.sql';
/** The migration that adds metrics other than CO2 and VOC, and the parameter `metrics` of `insert_readings`. */
const METRICS_MIGRATION = '20261124120000_metrics.sql';
/** The migrations that add the functions `alert_…`. */
const ALERTS_MIGRATION = '20261122130000_alerts.sql';
const MESSAGES_MIGRATION = '20261122140000_alert_messages.sql';
const LIMITED_MIGRATION = '20261124110000_limited_alerts.sql';
/** The migration that adds the table `notes` and the functions `list_notes`, `room_load` and `room_keep`. */
const ROOMS_MIGRATION = '20261124160000_rooms_and_notes.sql';
const REPEATABLE = 'Posting again is safe: a reading with its own time is stored only once.';
const CHECK_PROJECT =
  'If this continues, the project may be paused: open it at supabase.com/dashboard and restore it.';

/** Matches network errors that occur before anything is sent. */
const NOT_SENT =
  /\((ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_\w+|\w*CERT\w*)\)/;

/** Matches codes of classes 22 and 23: an invalid value, or one that violates a constraint. */
const INVALID = /^2[23]/;

/** Matches codes after which the transaction may have been committed anyway. */
const MAYBE_COMMITTED = /^(08|57P|40003|PGRST001)/;

/** Remembers that the project answered, with or without an error. */
export function noteAnswer({ status }: PostgrestResult, project: Project): void {
  if (status > 0) project.answeredAt = performance.now();
}

/** Returns the error for a failed query. Its message says what went wrong and what to do. */
export function queryError(result: PostgrestResult, project: Project): StoreUnavailableError {
  const [message, needsFix] = describeFailure(result, project);
  return new StoreUnavailableError(message, needsFix ? FIX_SECONDS : undefined);
}

/** Returns the error for a failed insert. Its message also says whether the readings were stored. */
export function insertError(
  result: PostgrestResult,
  project: Project,
  readings: readonly ReadingInput[],
): StoreUnavailableError | ReadingRejectedError {
  const { code = '', message = '' } = result.error ?? {};
  if (INVALID.test(code)) return rejection(message, project);
  const { message: reason, retryAfterSeconds } = queryError(result, project);
  const subject = readings.length === 1 ? 'reading was' : 'readings were';
  if (!maybeCommitted(result)) {
    return new StoreUnavailableError(`${reason} The ${subject} not stored.`, retryAfterSeconds);
  }
  const unknown = `${reason} It is not known whether the ${subject} stored.`;
  // A reading with its own time is recognized when it is posted again.
  const isRepeatable = readings.every(({ created_at }) => created_at !== undefined);
  return new StoreUnavailableError(
    isRepeatable ? `${unknown} ${REPEATABLE}` : unknown,
    retryAfterSeconds,
    true,
  );
}

/** Returns the error for a note that wasn't added. Its message also says whether the note was stored. */
export function noteError(
  result: PostgrestResult,
  project: Project,
): StoreUnavailableError | ReadingRejectedError {
  const { code = '', message = '' } = result.error ?? {};
  if (INVALID.test(code)) return rejection(message, project, 'note');
  const { message: reason, retryAfterSeconds } = queryError(result, project);
  const mayBeStored = maybeCommitted(result);
  const outcome = mayBeStored ? 'It is not known whether the note was stored.' : 'The note was not stored.';
  return new StoreUnavailableError(`${reason} ${outcome}`, retryAfterSeconds, mayBeStored);
}

/** Returns the error for a change that the public key may not make. */
export function secretKeyError(change: string): StoreUnavailableError {
  return new StoreUnavailableError(
    `${change} needs its secret key: set SUPABASE_SECRET_KEY on the server.`,
    FIX_SECONDS,
  );
}

/** Returns true if a function was called that the project doesn't have. */
export const isMissingFunction = ({ error }: PostgrestResult): boolean => error?.code === 'PGRST202';

/** Returns the error for a reading, or a note, that the database will never accept. */
export function rejection(
  reason: string,
  project: Project,
  subject: 'reading' | 'note' = 'reading',
): ReadingRejectedError {
  return new ReadingRejectedError(`The database rejected the ${subject}: ${withoutKey(reason, project)}.`);
}

/** Returns the error for a batch that waited too long for its turn. */
export function busyError(): StoreUnavailableError {
  return new StoreUnavailableError(
    'Supabase is too slow for the batches that are under way. The readings were not stored.',
  );
}

function maybeCommitted({ status, error }: PostgrestResult): boolean {
  if (status === 0) return !NOT_SENT.test(error?.details ?? '');
  if (status < 300) return true;
  // An error code from Postgres or PostgREST means that the transaction was rolled back. Without one, a gateway gave
  // up.
  if (error?.code) return MAYBE_COMMITTED.test(error.code);
  return status === 408 || (status >= 500 && status !== 540);
}

function describeFailure(
  { status, error }: PostgrestResult,
  project: Project,
): [message: string, needsFix?: boolean] {
  const { code = '', message = '', details = '' } = error ?? {};
  const isNotes = /\bnotes\b/.test(message);
  const isMissingTable = code === '42P01' || code === 'PGRST205';
  if (status === 0 && message.startsWith(ANSWER_TOO_LARGE)) {
    return [`Supabase's answer is over ${ANSWER_MIB} MiB: readings have too many decimals. ${MIGRATE}`, true];
  }
  if (status === 0) return [describeNetworkFailure(message, details, project)];
  if (status >= 300 && status < 400) {
    return [
      `The server at ${project.host} redirects requests. airboard doesn't follow them, because it would send the key along. ` +
        "Set SUPABASE_URL to the project's own address.",
      true,
    ];
  }
  if (code === '42501') {
    return /row-level security/.test(message)
      ? [
          `Supabase's key may not add ${isNotes ? 'notes' : 'readings'}: no policy allows it. ${MIGRATE}`,
          true,
        ]
      : [
          `Supabase's key may not use the table ${isNotes ? 'notes' : 'data'}: a grant is missing. ${MIGRATE}`,
          true,
        ];
  }
  if (isMissingTable && !isNotes) {
    return [`The Supabase project has no table data. ${MIGRATE}`, true];
  }
  if (isMissingTable || code === 'PGRST202' || (code === '42703' && /\bsensor\b/.test(message))) {
    return [`The Supabase project lacks the migration ${migrationOf(message)}. ${MIGRATE} ${RELOAD}`, true];
  }
  if (code === '42703' || code === 'PGRST204') {
    const [, column] = /\bdata\.(\w+)/.exec(message) ?? [];
    return [
      `The table data of the Supabase project lacks a column${column ? `, ${column}` : ''}. ${MIGRATE}`,
      true,
    ];
  }
  if (code === '57014') return ["Supabase's database took too long."];
  if (status === 401 || status === 403) {
    return [
      "Supabase refuses the key. Compare the server's SUPABASE_… keys with the project's API keys.",
      true,
    ];
  }
  if (status === 540) {
    return ['The Supabase project is paused. Open it at supabase.com/dashboard and restore it.', true];
  }
  if (status === 429) return ['Supabase rejects requests: there are too many.'];
  if (status < 300 || (status === 404 && !code)) {
    return [`The server at ${project.host} is not Supabase's REST API. Check SUPABASE_URL.`, true];
  }
  const detail = withoutKey(message, project).slice(0, 200);
  // Leaves out HTML, which is a gateway's error page.
  return [
    `Supabase answered ${status}${detail && !detail.includes('<') ? `: ${detail}` : ''}. ${CHECK_PROJECT}`,
  ];
}

/** Returns the migration that adds the function, or the table `notes`, that PostgREST reports as missing. */
function migrationOf(message: string): string {
  if (/\b(list_notes|notes|room_load|room_keep)\b/.test(message)) return ROOMS_MIGRATION;
  if (/\bpublic\.alert_(watch|recent_messages)\b/.test(message)) return MESSAGES_MIGRATION;
  if (/\bpublic\.alert_(waiting|summarize)\b/.test(message)) return LIMITED_MIGRATION;
  if (/\bpublic\.alert_/.test(message)) return ALERTS_MIGRATION;
  if (/\bpublic\.insert_readings\(metrics\b/.test(message)) return METRICS_MIGRATION;
  if (/\bpublic\.summary\b/.test(message)) return SUMMARY_MIGRATION;
  return /\bpublic\.history\b/.test(message) ? HISTORY_MIGRATION : SENSORS_MIGRATION;
}

function describeNetworkFailure(message: string, details: string, { host, answeredAt }: Project): string {
  if (/^(TimeoutError|AbortError)/.test(message)) {
    const isAlive = answeredAt !== undefined && performance.now() - answeredAt < ALIVE_MS;
    return isAlive
      ? 'Supabase is slow: it answers, but took too long for this request.'
      : `Supabase did not answer in time. ${CHECK_PROJECT}`;
  }
  if (NOT_SENT.test(details)) return `Supabase can't be reached at ${host}. ${CHECK_PROJECT}`;
  return 'The connection to Supabase broke off.';
}

function withoutKey(text: string, { key }: Project): string {
  return text.replaceAll(key, '…').replace(/\.$/, '');
}
