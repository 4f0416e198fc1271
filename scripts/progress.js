/** The minimum time between two printed lines. */
const TERMINAL_EVERY_MS = 100;
const LOG_EVERY_MS = 5000;
const CLEAR_LINE = '\r\u001b[K';

/**
 * Prints the progress of a run: on a terminal in one line that is overwritten, otherwise in a new line every 5 s.
 *
 * @param {NodeJS.WriteStream} output
 * @param {number} total the number of rows to process
 */
export function createProgress(output, total) {
  const startedAt = performance.now();
  const everyMs = output.isTTY ? TERMINAL_EVERY_MS : LOG_EVERY_MS;
  let printedAt = startedAt;
  let printedNote = '';

  /** @param {number} done */
  const perSecond = (done) => (done * 1000) / (performance.now() - startedAt);

  return {
    /**
     * Prints the progress if it is due. A changed note is printed at once, unless `isNews` is false.
     *
     * @param {number} done
     * @param {string} note
     * @param {boolean} [isNews]
     */
    update(done, note, isNews = true) {
      const now = performance.now();
      if (now - printedAt < everyMs && !(isNews && note !== printedNote)) return;
      printedAt = now;
      printedNote = note;
      const rate = perSecond(done);
      const left = rate > 0 ? `${formatTime((total - done) / rate)} left` : 'starting';
      const text = `${done} of ${total} rows, ${Math.ceil(rate)} rows/s, ${left}, ${note}`;
      // Cut the text, because `CLEAR_LINE` can't clear a wrapped line.
      output.write(output.isTTY ? CLEAR_LINE + text.slice(0, (output.columns || 80) - 1) : `${text}\n`);
    },
    /** Prints a message on its own line, which isn't overwritten. @param {string} message */
    print(message) {
      output.write(`${output.isTTY ? CLEAR_LINE : ''}${message}\n`);
    },
    /** Returns the formatted duration of the run so far: `1 min 5 s`. */
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
