/**
 * Fits Remix's code for browsers to this app. The build then drops what never runs here, 7.6 kB of gzipped scripts on every page
 * (docs/decisions/0009).
 */

const FLAG = /(window\.__remixContext\.)?\bfuture\.v3_\w+/g;
const REACT = '@remix-run/react/dist/esm';

/**
 * The replacements in each module. The flags are those of `remix.config.js`, which has all of them, and pages are
 * rendered on the server.
 *
 * @type {Record<string, [RegExp, string][]>}
 */
export const SETTLED = {
  [`${REACT}/browser.js`]: [
    [FLAG, 'true'],
    [/window\.__remixContext\.isSpaMode/g, 'false'],
  ],
  [`${REACT}/components.js`]: [
    [FLAG, 'true'],
    // A name would keep `Form`, which no page uses.
    [/^\w+\.displayName = "\w+";$/gm, ''],
    // No link has `prefetch`.
    [/usePrefetchBehavior\(prefetch, props\)/g, '[false, null, {}]'],
    [/shouldPrefetch && !isAbsolute \? /g, 'false ? '],
    [/isPageLinkDescriptor\(link\) \? /g, 'false ? '],
    // Only the server writes scripts into a document.
    [/!isStatic \? /g, 'true ? '],
    [/= staticContext \? /g, '= false ? '],
    // Pages have their data when they are rendered.
    [/!isStatic && typeof __remixContext === "object" && __remixContext\.a/g, 'false'],
  ],
  [`${REACT}/errorBoundaries.js`]: [[/__html: `[^`]*`/g, "__html: ''"]],
  [`${REACT}/fog-of-war.js`]: [[FLAG, 'true']],
  [`${REACT}/links.js`]: [[FLAG, 'true']],
  [`${REACT}/routes.js`]: [
    [FLAG, 'true'],
    [/typeof singleFetch === "function"/g, 'true'],
    [/\bRemixRootDefaultHydrateFallback : undefined/g, 'undefined : undefined'],
  ],
  // A page whose data isn't wanted any more, because another one overtook it, is no error.
  [`${REACT}/single-fetch.js`]: [[/console\.error\(e\);/g, 'if (!init.signal.aborted) console.error(e);']],
  '@remix-run/router/dist/router.js': [
    // Single fetch has no deferred data.
    [/(?<!function )isDeferred(Result|Data)\(\w+\)/g, 'false'],
    // No page has a fetcher.
    [/^ {4}fetch,$/gm, ''],
  ],
};

/**
 * Replaces what is settled in a module of Remix; other code stays as it is.
 *
 * @param {string} code
 * @param {string} id the module's path
 * @returns {string}
 * @throws if the module lacks what is to be replaced: a newer Remix has other code
 */
export function settle(code, id) {
  const module = Object.keys(SETTLED).find((path) => id.endsWith(`/node_modules/${path}`));
  return (SETTLED[module ?? ''] ?? []).reduce((settled, [text, replacement]) => {
    const next = settled.replace(text, replacement);
    if (next === settled) throw new Error(`${module} lacks ${text}: look at scripts/build/settle-remix.js`);
    return next;
  }, code);
}

/** @returns {import('vite').Plugin} */
export function settleRemix() {
  return {
    name: 'settle-remix',
    enforce: 'pre',
    // Development bundles packages without plugins, and the server needs all of Remix.
    apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    transform(code, id) {
      const settled = settle(code, id);
      return settled === code ? null : { code: settled, map: null };
    },
  };
}
