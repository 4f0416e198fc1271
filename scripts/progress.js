/** A terminal is told this often, a log this seldom. */
const TERMINAL_EVERY_MS = 100;
const LOG_EVERY_MS = 5000;
const CLEAR_LINE = '\r\u001b[K';

/**
 * Tells how far a run is: in one line that changes where the output is a terminal, in a line now and then
 * where it is not.
 *
 * @param {NodeJS.WriteStream} output
 * @param {number} total how many rows the run has
 */
export function createProgress(output, total) {
  const startedAt = performance.now();
  const everyMs = output.isTTY ? TERMINAL_EVERY_MS : LOG_EVERY_MS;
  let toldAt = startedAt;
  let toldNote = '';

  /** @param {number} done */
  const rateOf = (done) => (done * 1000) / (performance.now() - startedAt);

  return {
    /**
     * Tells where the run is, if the last time is long enough ago or the note is another one.
     *
     * @param {number} done
     * @param {string} note
     */
    update(done, note) {
      const now = performance.now();
      if (now - toldAt < everyMs && note === toldNote) return;
      toldAt = now;
      toldNote = note;
      const rate = rateOf(done);
      const left = rate > 0 ? `${formatTime((total - done) / rate)} left` : 'starting';
      const text = `${done} of ${total} rows, ${Math.round(rate)} rows/s, ${left}, ${note}`;
      // On a terminal a line that wraps could not be taken back.
      output.write(output.isTTY ? CLEAR_LINE + text.slice(0, (output.columns || 80) - 1) : `${text}\n`);
    },
    /**
     * Says something that stays, in a line of its own.
     *
     * @param {string} message
     */
    say(message) {
      output.write(`${output.isTTY ? CLEAR_LINE : ''}${message}\n`);
    },
    /** How long the run took. */
    elapsed: () => formatTime((performance.now() - startedAt) / 1000),
  };
}

/** @param {number} seconds */
function formatTime(seconds) {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
