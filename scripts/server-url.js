import { DEFAULT_PORT } from '../app/config/defaults.server.js';

/** Returns the option `--url` for `parseArgs`: the address of the server that a command talks to. */
export const urlOption = () => ({
  type: /** @type {const} */ ('string'),
  default: `http://localhost:${process.env.PORT || DEFAULT_PORT}`,
});

/**
 * @param {string} url
 * @throws Error if it isn't the address of a server
 */
export function assertServerUrl(url) {
  if (/^https?:/.test(url) && URL.canParse(url)) return;
  throw new Error(`--url must be an address like http://localhost:3000, not "${url}"`);
}
