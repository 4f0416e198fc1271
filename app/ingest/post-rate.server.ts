import { getEnv } from '../config/env.server';
import { singleton } from '../config/singleton.server';
import type { Refusal } from '../http/answer';
import { counted } from '../readings/format/counted.js';
import { MINUTE_MS } from '../readings/time/durations';

/** The most addresses that get a share. Once they are known, a crowd of new addresses can't displace them. */
const KNOWN_LIMIT = 50;
/** An address that has stored nothing for this long is forgotten. */
const FORGET_AFTER_MS = 24 * 60 * MINUTE_MS;
/**
 * The most addresses that are counted separately in a minute, so that a flood from many addresses uses bounded memory.
 */
const ADDRESS_LIMIT = 10_000;

const rate = singleton('post-rate', () => ({
  startedAt: Number.NEGATIVE_INFINITY,
  /** The posts of each address in this minute. Each reading of a batch counts as one post. */
  posts: new Map<string, number>(),
  /** The number of readings that any address may still store in this minute. */
  open: 0,
  /** The number of readings that each known address may store in addition. */
  shares: new Map<string, number>(),
  /** The time of the last stored reading of each address that has stored any, by `performance.now()`. */
  known: new Map<string, number>(),
}));

/** Room for readings to store, or the refusal if there isn't enough. */
export type Room = ({ ok: false } & Refusal) | { ok: true; giveBack(count: number): void };

/**
 * Counts a post of an address, valid or not. Returns a refusal if the address is over `POSTS_PER_MINUTE`, else null.
 */
export function refuseBusyAddress(address: string): Refusal | null {
  const { POSTS_PER_MINUTE } = getEnv();
  if (POSTS_PER_MINUTE === 0) return null;
  startMinute(POSTS_PER_MINUTE);
  return countPosts(address, 1) <= POSTS_PER_MINUTE ? null : tooManyPosts(POSTS_PER_MINUTE);
}

/**
 * Takes room for all readings of a post or for none. `refuseBusyAddress` must have accepted the post.
 *
 * `POSTS_PER_MINUTE` limits the readings that each address sends, and also the readings that are stored for all
 * addresses together. Half of the latter are reserved for addresses that have stored readings before, in equal shares,
 * so that nobody can lock out a sensor.
 *
 * @param count an upper bound: `giveBack` returns the room for readings that weren't stored
 */
export function takeRoom(address: string, count = 1): Room {
  const { POSTS_PER_MINUTE } = getEnv();
  if (POSTS_PER_MINUTE === 0) return { ok: true, giveBack() {} };
  startMinute(POSTS_PER_MINUTE);
  const largest = largestBatch(address, POSTS_PER_MINUTE);
  if (count > largest) return { ok: false, ...tooLargeFor(largest) };
  const share = rate.shares.get(address) ?? 0;
  if (rate.open + share < count) {
    const left = `It has room for ${rate.open + share} more from this address, and this post has ${count}.`;
    return {
      ok: false,
      ...tooMany(`The server stores ${counted(POSTS_PER_MINUTE, 'reading')} a minute. ${left}`),
    };
  }
  if (countPosts(address, count - 1) > POSTS_PER_MINUTE) {
    countPosts(address, 1 - count);
    return { ok: false, ...tooManyPosts(POSTS_PER_MINUTE) };
  }
  const fromOpen = Math.min(rate.open, count);
  let fromShare = count - fromOpen;
  rate.open -= fromOpen;
  if (fromShare > 0) rate.shares.set(address, share - fromShare);
  const minute = rate.startedAt;
  return {
    ok: true,
    giveBack(count) {
      // A new minute has begun with all of its room.
      if (rate.startedAt !== minute) return;
      const toShare = Math.min(count, fromShare);
      fromShare -= toShare;
      if (toShare > 0) rate.shares.set(address, (rate.shares.get(address) ?? 0) + toShare);
      rate.open += count - toShare;
    },
  };
}

/** Remembers that an address has stored a reading. A new address gets its share of the current minute at once. */
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

/** Adds to the posts of an address in this minute and returns their number. */
function countPosts(address: string, added: number): number {
  const { posts, known } = rate;
  const isApart = posts.has(address) || posts.size < ADDRESS_LIMIT || known.has(address);
  const key = isApart ? address : 'others';
  const count = (posts.get(key) ?? 0) + added;
  posts.set(key, count);
  return count;
}

/** Returns the most readings that an address may store at once at the beginning of a minute. */
function largestBatch(address: string, limit: number): number {
  const { known } = rate;
  const othersKnown = known.size - (known.has(address) ? 1 : 0);
  return limit - shareOf(limit) * othersKnown;
}

/** Begins a new minute if the last one is over. Measures time by a clock that can't be set. */
function startMinute(limit: number): void {
  const now = performance.now();
  if (now - rate.startedAt < MINUTE_MS) return;
  const { known, posts, shares } = rate;
  posts.clear();
  shares.clear();
  for (const [address, storedAt] of known) {
    if (now - storedAt > FORGET_AFTER_MS) known.delete(address);
  }
  const share = shareOf(limit);
  for (const address of known.keys()) shares.set(address, share);
  rate.open = limit - share * known.size;
  rate.startedAt = now;
}

/** The readings per minute that are reserved for all known addresses. */
const keptOf = (limit: number) => Math.floor(limit / 2);

/** The readings per minute that are reserved for each known address. */
const shareOf = (limit: number) => Math.floor(keptOf(limit) / Math.max(rate.known.size, 1));

const tooManyPosts = (limit: number) =>
  tooMany(`This address has sent more than ${counted(limit, 'reading')} in a minute.`);

function tooMany(reason: string): Refusal {
  const seconds = Math.ceil((rate.startedAt + MINUTE_MS - performance.now()) / 1000);
  return {
    status: 429,
    detail: `${reason} Try again in ${seconds} s, or raise POSTS_PER_MINUTE.`,
    headers: { 'Retry-After': String(seconds) },
  };
}

/** Refuses a batch that is too large for any minute. With a 429, its sender would retry forever. */
function tooLargeFor(largest: number): Refusal {
  return {
    status: 413,
    detail: `The server stores at most ${counted(largest, 'reading')} from this address in a minute. Send fewer at once, or raise POSTS_PER_MINUTE.`,
  };
}
