import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';
import { getEnv } from '../../config/env.server';

/** Global, unique local (`fc00::/7`) and link-local (`fe80::/10`) addresses of IPv6. */
const CHOSEN_HALF = /^([23]|f[cd]|fe[89ab])/i;

/**
 * Returns the address that a request counts for. With `TRUST_PROXY` it is the one that the outermost trusted
 * proxy added to `X-Forwarded-For`: a client can send any text, but only to the left of it.
 *
 * @param remote the address at the other end of the connection
 * @returns an IP address, or the first half of an IPv6 one: a client has the rest to choose from, in a local network too
 */
export function clientAddress(remote: string | undefined, forwardedFor: string | null): string {
  const { TRUST_PROXY } = getEnv();
  const forwarded = TRUST_PROXY > 0 ? forwardedFor?.split(',').at(-TRUST_PROXY)?.trim() : undefined;
  // A zone, as in `fe80::1%eth0`, means something on the proxy alone.
  const isAddress = forwarded && isIP(forwarded) && !forwarded.includes('%');
  const address = isAddress ? forwarded : (remote ?? 'unknown');
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  return mapped ?? (isIPv6(address) && CHOSEN_HALF.test(address) ? network(address) : address);
}

/** Returns the address that a request of Node's counts for. */
export function addressOf({ socket, headers }: IncomingMessage): string {
  return clientAddress(socket.remoteAddress, headers['x-forwarded-for']?.toString() ?? null);
}

/** Returns the first four of the eight groups of an IPv6 address. */
function network(address: string): string {
  const [withoutZone = ''] = address.split('%');
  const { hostname } = new URL(`http://[${withoutZone}]`);
  const [before = [], after = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((half) => half.split(':'));
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}
