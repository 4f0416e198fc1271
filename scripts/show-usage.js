/**
 * Prints the usage and ends the process if the arguments ask for it.
 *
 * @param {string} usage
 */
export function showUsageIfAsked(usage) {
  const [, , ...words] = process.argv;
  if (!words.includes('--help') && !words.includes('-h')) return;
  console.log(usage);
  process.exit(0);
}
