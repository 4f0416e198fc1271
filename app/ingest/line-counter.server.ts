const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;

/**
 * Counts the lines that aren't blank while their bytes arrive. LF, CR and CRLF end a line. Each reading begins a line, so a
 * body never has more readings than lines. CSV may have fewer, because quotes can enclose line ends.
 */
export class LineCounter {
  /** How many lines have something other than spaces. */
  count = 0;
  #isBlank = true;

  /** Scans the bytes that follow the ones before. */
  scan(bytes: Uint8Array): void {
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i];
      if (byte === LINE_FEED || byte === CARRIAGE_RETURN) this.#isBlank = true;
      else if (this.#isBlank && byte !== SPACE && byte !== TAB) {
        this.#isBlank = false;
        this.count += 1;
      }
    }
  }
}
