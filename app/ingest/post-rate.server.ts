import { getEnv } from '../config/env.server';
import { singleton } from '../config/singleton.server';
import type { WriteRefusal } from './write-refusal';

const MINUTE_MS = 60_000;
/** How many addresses get a share at most. The first ones stay: a crowd of new ones can't displace them. */
const KNOWN_LIMIT = 50;
/** An address that has stored nothing for this long is forgotten. */
const FORGET_AFTER_MS = 24 * 60 * MINUTE_MS;
/** How many addresses are counted apart in a minute, so that a flood from many of them uses bounded memory. */
const ADDRESS_LIMIT = 10_000;

const rate = singleton('post-rate', () => ({
  startedAt: Number.NEGATIVE_INFINITY,
  /** The posts of each address within the minute. */
  posts: new Map<string, number>(),
  /** How many more readings may be stored within the minute, whatever the address. */
  open: 0,
  /** How many more may be stored after that, by each known address. */
  shares: new Map<string, number>(),
  /** The time of the last stored reading of each address that has stored any. */
  known: new Map<string, number>(),
}));

/** Counts a post of an address, valid or not. Returns the refusal if it is over `POSTS_PER_MINUTE`, else null. */
export function refuseBusyAddress(address: string): WriteRefusal | null {
  const { POSTS_PER_MINUTE } = getEnv();
  if (POSTS_PER_MINUTE === 0) return null;
  startMinute(POSTS_PER_MINUTE);
  const { posts, known } = rate;
  const isApart = posts.has(address) || posts.size < ADDRESS_LIMIT || known.has(address);
  const key = isApart ? address : 'others';
  const count = (posts.get(key) ?? 0) + 1;
  posts.set(key, count);
  if (count <= POSTS_PER_MINUTE) return null;
  return tooMany(`More than ${POSTS_PER_MINUTE} posts in a minute from this address.`);
}

/**
 * Takes room for a reading that is about to be stored: `POSTS_PER_MINUTE` for all addresses together. Half of it is
 * kept for the addresses that have stored readings before, in equal shares, so that nobody can lock out a sensor.
 *
 * @returns the refusal if there is no room, else null
 */
export function takeRoom(address: string): WriteRefusal | null {
  const { POSTS_PER_MINUTE } = getEnv();
  if (POSTS_PER_MINUTE === 0) return null;
  startMinute(POSTS_PER_MINUTE);
  const share = rate.shares.get(address) ?? 0;
  if (rate.open > 0) rate.open -= 1;
  else if (share > 0) rate.shares.set(address, share - 1);
  else
    return tooMany(
      `The server stores ${POSTS_PER_MINUTE} readings a minute. It has no room for another one.`,
    );
  return null;
}

/** Gives back the room for a reading that wasn't stored. */
export function returnRoom(address: string): void {
  const share = rate.shares.get(address);
  if (share === undefined) rate.open += 1;
  else rate.shares.set(address, share + 1);
}

/** Remembers that an address has stored a reading. A new one gets its share of the current minute at once. */
export function rememberAddress(address: string): void {
  const { known, shares, open } = rate;
  const kept = keptOf(getEnv().POSTS_PER_MINUTE);
  if (!known.has(address)) {
    if (known.size >= Math.min(KNOWN_LIMIT, kept)) return;
    const share = Math.min(Math.floor(open / 2), Math.floor(kept / (known.size + 1)));
    rate.open -= share;
    shares.set(address, share);
  }
  known.set(address, performance.now());
}

/** Begins a minute with the first post after the last one is over, by a clock that nobody can set. */
function startMinute(limit: number): void {
  const now = performance.now();
  if (now - rate.startedAt < MINUTE_MS) return;
  const { known, posts, shares } = rate;
  posts.clear();
  shares.clear();
  for (const [address, storedAt] of known) {
    if (now - storedAt > FORGET_AFTER_MS) known.delete(address);
  }
  const share = Math.floor(keptOf(limit) / known.size);
  for (const address of known.keys()) shares.set(address, share);
  rate.open = known.size > 0 ? limit - share * known.size : limit;
  rate.startedAt = now;
}

/** How many of the readings of a minute are kept for known addresses. */
const keptOf = (limit: number) => Math.floor(limit / 2);

function tooMany(reason: string): WriteRefusal {
  const seconds = Math.ceil((rate.startedAt + MINUTE_MS - performance.now()) / 1000);
  return {
    status: 429,
    detail: `${reason} Try again in ${seconds} s, or raise POSTS_PER_MINUTE.`,
    headers: { 'Retry-After': String(seconds) },
  };
}
