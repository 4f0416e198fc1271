/** Derives from `HOST` and `PORT` the address to listen on, the addresses to open, and advice if listening fails. */
import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/**
 * Returns a host for `listen`: removes the brackets of an IPv6 address.
 *
 * @param {string} host
 */
export function listenHost(host) {
  return host.replace(/^\[(.*)\]$/, '$1');
}

/**
 * Returns the addresses at which a browser finds the server: one for this machine and, if it listens on every interface, one for
 * other machines.
 *
 * @param {string} host the host that the server listens on; empty for every interface
 * @param {string} port
 * @param {string} [path]
 * @returns {string[]}
 */
export function addressesToOpen(host, port, path = '') {
  if (!['', '0.0.0.0', '::'].includes(host))
    return [`http://${isIPv6(host) ? `[${host}]` : host}:${port}${path}`];
  const addresses = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  const outside = addresses.find(({ family, internal }) => family === 'IPv4' && !internal);
  return ['localhost', ...(outside ? [outside.address] : [])].map((name) => `http://${name}:${port}${path}`);
}

/**
 * Returns advice if the server can't listen, or null if the error has another cause.
 *
 * @param {NodeJS.ErrnoException} error
 * @param {string} port
 */
export function listenAdvice({ syscall = '', code }, port) {
  if (!['listen', 'getaddrinfo'].includes(syscall)) return null;
  if (code === 'EADDRINUSE') return 'Stop the program that uses that port, or set PORT to another.';
  if (code === 'EACCES' && Number(port) < 1024) {
    return (
      'Only privileged users may listen on ports below 1024: set PORT to 1024 or higher. docs/install.md ' +
      'explains how to serve at port 80.'
    );
  }
  if (code === 'EACCES') return "The system doesn't allow that port: set PORT to another.";
  return 'Set HOST to an address of this machine, or leave it out.';
}
