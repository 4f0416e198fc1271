/** Error messages and exit codes of commands. */

/**
 * Prints a message to stderr and exits.
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
 * Returns the reason for a refusal (an RFC 9457 problem) in one line.
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

/** An error that ends an import: a wrong setting, an unusable file, or a missing server. */
export class ImportError extends Error {}
