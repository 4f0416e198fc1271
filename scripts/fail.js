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
