const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Finds where the items of a JSON array begin and end while its bytes arrive, without parsing them: 8 MiB in one
 * `JSON.parse` would hold the event loop for 100 ms. Takes any bracket for its partner: `JSON.parse` judges the items.
 */
export class ArrayScanner {
  /** Offsets of the commas between items, and of the bracket that closes the array. */
  readonly ends: number[] = [];
  /** True once the closing bracket was found. */
  isClosed = false;
  /** The offset of the next byte. */
  #offset: number;
  #depth = 0;
  #isText = false;
  #isEscaped = false;

  /** How many items the array has at least. */
  get count(): number {
    return this.ends.length + (this.isClosed ? 0 : 1);
  }

  /** @param start the offset of the array's opening bracket, the first byte that is scanned */
  constructor(readonly start: number) {
    this.#offset = start;
  }

  /** Scans the bytes that follow the ones before. */
  scan(bytes: Uint8Array): void {
    let depth = this.#depth;
    let isText = this.#isText;
    let isEscaped = this.#isEscaped;
    for (let i = 0; i < bytes.length && !this.isClosed; i++) {
      const byte = bytes[i];
      if (isEscaped) isEscaped = false;
      else if (isText) {
        if (byte === QUOTE) isText = false;
        else if (byte === BACKSLASH) isEscaped = true;
      } else if (byte === QUOTE) isText = true;
      else if (byte === COMMA) {
        if (depth === 1) this.ends.push(this.#offset + i);
      } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth += 1;
      else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
        depth -= 1;
        if (depth === 0) {
          this.ends.push(this.#offset + i);
          this.isClosed = true;
        }
      }
    }
    this.#depth = depth;
    this.#isText = isText;
    this.#isEscaped = isEscaped;
    this.#offset += bytes.length;
  }
}
