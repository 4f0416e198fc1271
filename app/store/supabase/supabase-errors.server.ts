import type { ReadingInput } from '../../readings/reading';
import { ReadingRejectedError, StoreUnavailableError } from '../reading-store';
import { ANSWER_MIB, ANSWER_TOO_LARGE, type PostgrestResult, type Project } from './supabase-queries.server';

/** A project that answered within this time is slow rather than paused. */
const ALIVE_MS = 60_000;

/** `Retry-After` for faults that a person has to fix. */
const FIX_SECONDS = 30;

const MIGRATE = 'Apply supabase/migrations to the project.';
/** The API's schema cache may be older than the migration. */
const RELOAD = "If it is applied, run in the SQL editor: notify pgrst, 'reload schema'";
/** Matches PostgREST's error for something that a migration adds. The first match counts. */
const MIGRATIONS = [
  [/\b(load_settings|change_sensor|move_readings|correct_readings)\b/, '20261129090000_sensor_settings.sql'],
  [
    /\b(delete_readings|restore_readings|list_deletions|give_up_readings)\b/,
    '20261129091000_deleted_readings.sql',
  ],
  [/\b(list_notes|notes|room_load|room_keep)\b/, '20261128093000_rooms_and_notes.sql'],
  [/\bpublic\.(room_averages|room_totals)\b/, '20261128096000_rooms_together.sql'],
  [/\bpublic\.alert_/, '20261128092000_alerts.sql'],
  [/\bpublic\.(history|summary|remove_raw)\b/, '20261128091000_slots_and_history.sql'],
] as const;
/** The migration of the table `data`, and of the functions that store and list readings. */
const READINGS_MIGRATION = '20261128090000_readings.sql';
const REPEATABLE = 'Posting again is safe: a reading with its own time is stored only once.';
const CHECK_PROJECT =
  'If this continues, the project may be paused: open it at supabase.com/dashboard and restore it.';

/** Matches network errors that occur before anything is sent. */
const NOT_SENT =
  /\((ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_\w+|\w*CERT\w*)\)/;

/** Matches codes of classes 22 and 23: an invalid value, or a violated constraint. */
const INVALID = /^2[23]/;

/** Matches codes after which the transaction may have been committed anyway. */
const MAYBE_COMMITTED = /^(08|57P|40003|PGRST001)/;

/** Returns the error for a failed query. Its message says what went wrong and what to do. */
export function queryError(result: PostgrestResult, project: Project): StoreUnavailableError {
  const [message, needsFix] = describeFailure(result, project);
  return new StoreUnavailableError(message, needsFix ? FIX_SECONDS : undefined);
}

/** Returns the error for a failed insert. Its message also says whether the readings were stored. */
export function insertError(result: PostgrestResult, project: Project, readings: readonly ReadingInput[]) {
  // A reading with its own time is recognized when it is posted again.
  const isRepeatable = readings.every(({ created_at }) => created_at !== undefined);
  const subject = readings.length === 1 ? 'reading was' : 'readings were';
  return writeError(result, project, subject, isRepeatable ? ` ${REPEATABLE}` : '');
}

/** Returns the error for a note that wasn't added. Its message also says whether the note was stored. */
export const noteError = (result: PostgrestResult, project: Project) =>
  writeError(result, project, 'note was', '');

/** @param advice for a write that may have been stored */
function writeError(
  result: PostgrestResult,
  project: Project,
  subject: 'reading was' | 'readings were' | 'note was',
  advice: string,
): StoreUnavailableError | ReadingRejectedError {
  const { code = '', message = '' } = result.error ?? {};
  if (INVALID.test(code)) return rejection(message, project, subject === 'note was' ? 'note' : 'reading');
  const { message: reason, retryAfterSeconds } = queryError(result, project);
  const mayBeStored = maybeCommitted(result);
  const outcome = mayBeStored
    ? `It is not known whether the ${subject} stored.${advice}`
    : `The ${subject} not stored.`;
  return new StoreUnavailableError(`${reason} ${outcome}`, retryAfterSeconds, mayBeStored);
}

/** Returns the error for a change that the public key may not make. */
export function secretKeyError(change: string): StoreUnavailableError {
  return new StoreUnavailableError(
    `${change} needs its secret key: set SUPABASE_SECRET_KEY on the server.`,
    FIX_SECONDS,
  );
}

/** Returns true if the project doesn't have the called function. */
export const isMissingFunction = ({ error }: PostgrestResult): boolean => error?.code === 'PGRST202';

/** Returns the error for a reading, or a note, that the database will never accept. */
export function rejection(
  reason: string,
  project: Project,
  subject: 'reading' | 'note' = 'reading',
): ReadingRejectedError {
  return new ReadingRejectedError(`The database rejected the ${subject}: ${withoutKey(reason, project)}.`);
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
  // The last one comes from `insert_readings`, whose parameter has the type of the table's rows.
  const isMissingTable =
    code === '42P01' || code === 'PGRST205' || (code === '42704' && /\bpublic\.data\b/.test(message));
  if (status === 0 && message.startsWith(ANSWER_TOO_LARGE)) {
    return [`Supabase's answer is over ${ANSWER_MIB} MiB: readings have too many decimals. ${MIGRATE}`, true];
  }
  if (status === 0) return [describeNetworkFailure(message, details, project)];
  if (code === 'PGRST203') {
    return [`The Supabase project has a function twice: an older migration was run again. ${MIGRATE}`, true];
  }
  if (status >= 300 && status < 400) {
    return [
      `The server at ${hostOf(project)} redirects requests. airboard doesn't follow them, because it would send the key along. ` +
        "Set SUPABASE_URL to the project's own address.",
      true,
    ];
  }
  if (code === '42501') {
    return /row-level security/.test(message)
      ? [
          `Supabase's public key may not add ${isNotes ? 'notes' : 'readings'}: their policy was dropped. Set ` +
            'SUPABASE_SECRET_KEY on the server.',
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
    const migration = MIGRATIONS.find(([missing]) => missing.test(message))?.[1] ?? READINGS_MIGRATION;
    return [`The Supabase project lacks the migration ${migration}. ${MIGRATE} ${RELOAD}`, true];
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
    return [`The server at ${hostOf(project)} is not Supabase's REST API. Check SUPABASE_URL.`, true];
  }
  const detail = withoutKey(message, project).slice(0, 200);
  // Leaves out HTML, which is a gateway's error page.
  return [
    `Supabase answered ${status}${detail && !detail.includes('<') ? `: ${detail}` : ''}. ${CHECK_PROJECT}`,
  ];
}

function describeNetworkFailure(message: string, details: string, project: Project): string {
  if (/^(TimeoutError|AbortError)/.test(message)) {
    const { answeredAt } = project;
    const isAlive = answeredAt !== undefined && performance.now() - answeredAt < ALIVE_MS;
    return isAlive
      ? 'Supabase is slow: it answers, but took too long for this request.'
      : `Supabase did not answer in time. ${CHECK_PROJECT}`;
  }
  if (NOT_SENT.test(details)) return `Supabase can't be reached at ${hostOf(project)}. ${CHECK_PROJECT}`;
  return 'The connection to Supabase broke off.';
}

const hostOf = ({ url }: Project): string => new URL(url).host;

function withoutKey(text: string, { key }: Project): string {
  return text.replaceAll(key, '…').replace(/\.$/, '');
}
