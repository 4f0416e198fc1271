/** Errors of commands: their messages and exit codes. */

/**
 * Prints a message to stderr and ends the process.
 *
 * @param {string} message
 * @param {number} exitCode
 * @returns {never}
 */
export function fail(message, exitCode) {
  console.error(message);
  process.exit(exitCode);
}

/** Returns the message of a thrown value. @param {unknown} error */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/**
 * Returns the reason of a refusal (RFC 9457) in one line.
 *
 * @param {number | null} status
 * @param {any} body
 * @returns {string}
 */
export function problemText(status, { detail = `status ${status}`, errors = [] }) {
  const fields = errors.map((/** @type {any} */ { field, detail }) =>
    field ? `${field} ${detail}` : detail,
  );
  return fields.join('; ') || detail;
}

/** A fault that ends an import: of a setting, of the whole file, or of the server. */
export class ImportError extends Error {}
