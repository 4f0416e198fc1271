import { singleton } from '../config/singleton.server';

const MIB = 1024 * 1024;
/** Memory for the bodies of all batches under way. */
const TOTAL_LIMIT = 64 * MIB;
/** How much of it an address may hold: two batches of the largest size. One slow client can't lock out the rest. */
const ADDRESS_LIMIT = 16 * MIB;
/** Smaller bodies aren't counted: the number of connections bounds them. */
const COUNTED_FROM = 16 * 1024;
/** A body that has been arriving for longer gives way to others. 8 MiB in this time are 6.7 Mbit/s. */
const PATIENCE_MS = 10_000;

const memory = singleton('body-memory', () => ({
  total: 0,
  addresses: new Map<string, number>(),
  /** The counted bodies that are still arriving, the oldest first, with the times since when they are counted. */
  arriving: new Map<BodyMemory, number>(),
}));

/**
 * Collects a body in one buffer, which grows with what arrives: an announced length costs a client nothing. A list of
 * parts would take a hundred times the memory if a client sends each byte alone.
 *
 * If the memory is used up, the body that has been arriving for longest gives way, once it has had `PATIENCE_MS`.
 */
export class BodyMemory {
  #buffer: Buffer = Buffer.alloc(0);
  #size = 0;
  #counted = 0;
  #hasGivenWay = false;

  /** @param length the announced length; 0 if unknown */
  constructor(
    private readonly address: string,
    private readonly length: number,
  ) {}

  /** Adds a part. Returns false, and does nothing, if the bodies under way would hold too much memory. */
  append(part: Uint8Array): boolean {
    if (this.#hasGivenWay) return false;
    const size = this.#size + part.length;
    if (this.#size === 0) {
      // Most bodies have one part, which needn't be copied.
      if (!this.#count(size)) return false;
      this.#buffer = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    } else {
      if (size > this.#buffer.length && !this.#grow(size)) return false;
      this.#buffer.set(part, this.#size);
    }
    this.#size = size;
    return true;
  }

  /** Ends the arrival, so that the body doesn't give way any more. Returns its bytes, or null if it already did. */
  complete(): Buffer | null {
    memory.arriving.delete(this);
    return this.#hasGivenWay ? null : this.#buffer.subarray(0, this.#size);
  }

  release(): void {
    memory.arriving.delete(this);
    this.#buffer = Buffer.alloc(0);
    this.#size = 0;
    this.#hold(0);
  }

  /** Doubles the buffer, or makes it as large as the announced length if that is smaller. */
  #grow(size: number): boolean {
    const doubled = 2 * this.#buffer.length;
    const capacity = Math.max(size, this.length > 0 ? Math.min(doubled, this.length) : doubled);
    if (!this.#count(capacity)) return false;
    const buffer = Buffer.allocUnsafeSlow(capacity);
    buffer.set(this.#buffer.subarray(0, this.#size));
    this.#buffer = buffer;
    return true;
  }

  /** Counts this body's memory as so many bytes, if they are there or others give way. */
  #count(capacity: number): boolean {
    if (capacity <= COUNTED_FROM) return true;
    const added = capacity - this.#counted;
    const isAddressFull = () => (memory.addresses.get(this.address) ?? 0) + added > ADDRESS_LIMIT;
    while (isAddressFull() || memory.total + added > TOTAL_LIMIT) {
      const address = isAddressFull() ? this.address : null;
      const arriving = [...memory.arriving];
      const [oldest, since = 0] = arriving.find(([body]) => !address || body.address === address) ?? [];
      if (!oldest || oldest === this || performance.now() - since < PATIENCE_MS) return false;
      oldest.#hasGivenWay = true;
      oldest.release();
    }
    this.#hold(capacity);
    if (!memory.arriving.has(this)) memory.arriving.set(this, performance.now());
    return true;
  }

  #hold(bytes: number): void {
    const held = (memory.addresses.get(this.address) ?? 0) + bytes - this.#counted;
    memory.total += bytes - this.#counted;
    if (held > 0) memory.addresses.set(this.address, held);
    else memory.addresses.delete(this.address);
    this.#counted = bytes;
  }
}
