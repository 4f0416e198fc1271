/** How commands end when something is wrong. */

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

/** A fault that ends an import: of a setting, of the whole file, or of the server. */
export class ImportError extends Error {}
