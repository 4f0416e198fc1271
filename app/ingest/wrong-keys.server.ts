import { singleton } from '../config/singleton.server';
import type { WriteRefusal } from './write-refusal';

/** How many wrong keys an address may send without a pause: a person mistypes, a device was set up wrongly. */
const FREE_GUESSES = 5;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** An address that has sent no wrong key for this long starts again. */
const FORGET_AFTER_MS = 60 * 60_000;
/** The most addresses that are remembered. The one that guessed longest ago is forgotten first. */
const ADDRESS_LIMIT = 10_000;

interface Guesses {
  count: number;
  lastAt: number;
  pauseMs: number;
}

/** The wrong keys of each address, the latest at the end. */
const guesses = singleton('wrong-keys', () => new Map<string, Guesses>());

/** Returns the refusal of any key, the right one too, while an address has to pause; else null. */
export function refuseGuess(address: string): WriteRefusal | null {
  const { lastAt = 0, pauseMs = 0 } = guesses.get(address) ?? {};
  const remainingMs = lastAt + pauseMs - performance.now();
  if (remainingMs <= 0) return null;
  const seconds = Math.ceil(remainingMs / 1000);
  return {
    status: 429,
    detail: `Too many wrong write keys came from this address. Try again in ${seconds} s.`,
    headers: { 'Retry-After': String(seconds) },
  };
}

/** Counts a wrong key. After the fifth, its address has to pause for 1 s; each further one doubles that, up to 60 s. */
export function countWrongKey(address: string): void {
  const now = performance.now();
  const last = guesses.get(address);
  const count = last && now - last.lastAt < FORGET_AFTER_MS ? last.count + 1 : 1;
  const pauseMs = count < FREE_GUESSES ? 0 : FIRST_PAUSE_MS * 2 ** (count - FREE_GUESSES);
  guesses.delete(address);
  guesses.set(address, { count, lastAt: now, pauseMs: Math.min(pauseMs, LONGEST_PAUSE_MS) });
  const [oldest] = guesses.keys();
  if (guesses.size > ADDRESS_LIMIT && oldest !== undefined) guesses.delete(oldest);
}

/** Forgets the wrong keys of an address that has sent the right one. */
export function forgetWrongKeys(address: string): void {
  guesses.delete(address);
}
