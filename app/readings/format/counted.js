/**
 * Returns a count with its noun: `1 reading`, `2 readings`. Plain JavaScript, because the commands run without a build.
 *
 * @param {number} count
 * @param {string} noun in the singular
 */
export function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
