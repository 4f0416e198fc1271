/**
 * Gives a server under test a false clock. `node --import` loads it into the server. The clock starts at `FALSE_CLOCK`, and
 * SIGWINCH sets it right, as NTP would.
 */
const TrueDate = Date;
let aheadMs = Date.parse(process.env.FALSE_CLOCK ?? '') - Date.now();

globalThis.Date = /** @type {DateConstructor} */ (
  class extends TrueDate {
    /** @param {any[]} parts */
    constructor(...parts) {
      if (parts.length === 0) super(TrueDate.now() + aheadMs);
      // @ts-expect-error The parts are those of one of Date's constructors.
      else super(...parts);
    }

    /** @override */
    static now() {
      return TrueDate.now() + aheadMs;
    }
  }
);

process.on('SIGWINCH', () => {
  aheadMs = 0;
});
