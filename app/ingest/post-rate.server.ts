import { getEnv } from '../config/env.server';
import { singleton } from '../config/singleton.server';
import type { Refusal } from '../http/answer';
import { MINUTE_MS } from '../readings/time/durations';

/** The most addresses that get a share. The first ones stay: a crowd of new ones can't displace them. */
const KNOWN_LIMIT = 50;
/** An address that has stored nothing for this long is forgotten. */
const FORGET_AFTER_MS = 24 * 60 * MINUTE_MS;
/** The most addresses that are counted apart in a minute: a flood from many uses bounded memory. */
const ADDRESS_LIMIT = 10_000;

const rate = singleton('post-rate', () => ({
  startedAt: Number.NEGATIVE_INFINITY,
  /** The posts of each address within the minute. A batch counts as many as it has readings. */
  posts: new Map<string, number>(),
  /** The readings that may still be stored within the minute, whatever the address. */
  open: 0,
  /** The readings that each known address may still store after that. */
  shares: new Map<string, number>(),
  /** The time of the last stored reading of each address that has stored any. */
  known: new Map<string, number>(),
}));

/** Room for readings that are about to be stored, or the refusal if there isn't enough. */
export type Room = ({ ok: false } & Refusal) | { ok: true; giveBack(count: number): void };

/** Counts a post of an address, valid or not. Returns the refusal if it is over `POSTS_PER_MINUTE`, else null. */
export function refuseBusyAddress(address: string): Refusal | null {
  const { POSTS_PER_MINUTE } = getEnv();
  if (POSTS_PER_MINUTE === 0) return null;
  startMinute(POSTS_PER_MINUTE);
  return countPosts(address, 1) <= POSTS_PER_MINUTE ? null : tooManyPosts(POSTS_PER_MINUTE);
}

/**
 * Takes room for the readings of a post that `refuseBusyAddress` has let through: for all of them or for none.
 *
 * `POSTS_PER_MINUTE` holds for each address, counting every reading that it sends, and for all addresses together,
 * counting stored readings. Half of the latter is kept for the addresses that have stored readings before, in equal
 * shares, so that nobody can lock out a sensor.
 *
 * @param count an upper bound: `giveBack` takes back the room for readings that weren't stored
 */
export function takeRoom(address: string, count = 1): Room {
  const { POSTS_PER_MINUTE } = getEnv();
  if (POSTS_PER_MINUTE === 0) return { ok: true, giveBack() {} };
  startMinute(POSTS_PER_MINUTE);
  const largest = largestBatch(address, POSTS_PER_MINUTE);
  if (count > largest) return { ok: false, ...tooLargeFor(largest) };
  const share = rate.shares.get(address) ?? 0;
  if (rate.open + share < count) {
    const left = `It has room for ${rate.open + share} more of this address, and this post has ${count}.`;
    return { ok: false, ...tooMany(`The server stores ${POSTS_PER_MINUTE} readings a minute. ${left}`) };
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
      // The next minute has given out all of its room already.
      if (rate.startedAt !== minute) return;
      const toShare = Math.min(count, fromShare);
      fromShare -= toShare;
      if (toShare > 0) rate.shares.set(address, (rate.shares.get(address) ?? 0) + toShare);
      rate.open += count - toShare;
    },
  };
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

/** Adds to the posts of an address within the minute, and returns their number. */
function countPosts(address: string, added: number): number {
  const { posts, known } = rate;
  const isApart = posts.has(address) || posts.size < ADDRESS_LIMIT || known.has(address);
  const key = isApart ? address : 'others';
  const count = (posts.get(key) ?? 0) + added;
  posts.set(key, count);
  return count;
}

/** Returns how many readings an address may store at once at the beginning of a minute. */
function largestBatch(address: string, limit: number): number {
  const { known } = rate;
  const othersKnown = known.size - (known.has(address) ? 1 : 0);
  return limit - shareOf(limit) * othersKnown;
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
  const share = shareOf(limit);
  for (const address of known.keys()) shares.set(address, share);
  rate.open = limit - share * known.size;
  rate.startedAt = now;
}

/** The readings of a minute that are kept for known addresses. */
const keptOf = (limit: number) => Math.floor(limit / 2);

/** The readings of a minute that are kept for each known address. */
const shareOf = (limit: number) => Math.floor(keptOf(limit) / Math.max(rate.known.size, 1));

const tooManyPosts = (limit: number) =>
  tooMany(`This address has sent more than ${limit} readings in a minute.`);

function tooMany(reason: string): Refusal {
  const seconds = Math.ceil((rate.startedAt + MINUTE_MS - performance.now()) / 1000);
  return {
    status: 429,
    detail: `${reason} Try again in ${seconds} s, or raise POSTS_PER_MINUTE.`,
    headers: { 'Retry-After': String(seconds) },
  };
}

/** Refuses a batch that no minute has room for: with a 429, its sender would wait for ever. */
function tooLargeFor(largest: number): Refusal {
  return {
    status: 413,
    detail: `The server stores at most ${largest} readings of this address in a minute. Send fewer at once, or raise POSTS_PER_MINUTE.`,
  };
}
