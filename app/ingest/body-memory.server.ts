import { singleton } from '../config/singleton.server';

const MIB = 1024 * 1024;
/** Memory for the bodies of all batches under way. */
const TOTAL_LIMIT = 64 * MIB;
/** How much of it an address may hold: two batches of the largest size. One slow client can't lock out the rest. */
const ADDRESS_LIMIT = 16 * MIB;
/** Smaller bodies aren't counted: the number of connections bounds them. */
const COUNTED_FROM = 16 * 1024;

const memory = singleton('body-memory', () => ({ total: 0, addresses: new Map<string, number>() }));

/**
 * Collects a body in one buffer: a list of parts would take a hundred times the memory if a client sends each byte
 * alone. The methods return false, and do nothing, if the bodies under way would hold too much memory.
 */
export class BodyMemory {
  #buffer: Buffer = Buffer.alloc(0);
  #size = 0;
  #counted = 0;

  constructor(private readonly address: string) {}

  /** The bytes collected so far. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#size);
  }

  /** Makes room for this many bytes in all. Pages of memory that nothing is written to cost nothing. */
  reserve(capacity: number): boolean {
    if (capacity <= this.#buffer.length) return true;
    if (!this.#count(capacity)) return false;
    const buffer = Buffer.allocUnsafeSlow(capacity);
    buffer.set(this.bytes);
    this.#buffer = buffer;
    return true;
  }

  append(part: Uint8Array): boolean {
    const size = this.#size + part.length;
    if (this.#size === 0 && size > this.#buffer.length) {
      // Most bodies have one part, which needn't be copied.
      if (!this.#count(size)) return false;
      this.#buffer = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    } else {
      if (size > this.#buffer.length && !this.reserve(Math.max(size, 2 * this.#buffer.length))) return false;
      this.#buffer.set(part, this.#size);
    }
    this.#size = size;
    return true;
  }

  release(): void {
    this.#buffer = Buffer.alloc(0);
    this.#size = 0;
    this.#count(0);
  }

  /** Counts this body's memory as so many bytes. */
  #count(capacity: number): boolean {
    const counted = capacity > COUNTED_FROM ? capacity : 0;
    const added = counted - this.#counted;
    if (added === 0) return true;
    const held = (memory.addresses.get(this.address) ?? 0) + added;
    if (added > 0 && (memory.total + added > TOTAL_LIMIT || held > ADDRESS_LIMIT)) return false;
    memory.total += added;
    if (held > 0) memory.addresses.set(this.address, held);
    else memory.addresses.delete(this.address);
    this.#counted = counted;
    return true;
  }
}
