/**
 * Runs remix-serve without its log of requests: it would log each request for a page, with its whole address. The request
 * guard logs those that are refused. `scripts/build/bundle.js` replaces this file.
 */
import { createRequire } from 'node:module';

const remixServe = createRequire(import.meta.url).resolve('@remix-run/serve/dist/cli.js');
const require = createRequire(remixServe);
require('morgan');
/** @type {NodeJS.Module} */ (require.cache[require.resolve('morgan')]).exports = () => passOn;
require(remixServe);

/**
 * @param {unknown} _request
 * @param {unknown} _response
 * @param {() => void} next
 */
function passOn(_request, _response, next) {
  next();
}
