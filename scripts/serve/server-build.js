/**
 * The build as remix-serve loads it, below `BASE_PATH`. One build serves any path: its scripts import each other by
 * relative addresses, and Remix takes the path of pages and the addresses of their scripts from the exports `basename` and
 * `assets`.
 */

/** @typedef {import('@remix-run/node').ServerBuild} ServerBuild */

// Not a literal, so that it isn't bundled into this file, and type checks need no build.
const BUILD = '../../build/server/index.js';
/** @type {ServerBuild} */
const build = await import(BUILD);

const base = process.env.BASE_PATH ?? '';

/** Ends with a slash, so that Remix's link to `/` is `/air/`, which the service worker's scope contains. */
export const basename = `${base}/`;

/** @type {ServerBuild['assets']} */
export const assets = JSON.parse(JSON.stringify(build.assets).replaceAll('"/assets/', `"${base}/assets/`));

export const { entry, routes, publicPath, assetsBuildDirectory, future, isSpaMode, mode } = build;
