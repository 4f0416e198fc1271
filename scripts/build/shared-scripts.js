/** Which scripts the pages have, and the modules of each. */

/** The scripts that pages share: the code of every page with React, and that of pages with a chart. */
export const EVERY_PAGE = 'every-page';
export const CHART_PAGES = 'chart-pages';
/** What every page needs of the scripts that run before React has come. */
const FIRST_SHARED = 'first-shared';

/**
 * The scripts that run on some pages before React has come, each with its module and all that this imports. A module of
 * several is in the first of them.
 */
export const FIRST_SCRIPTS = [
  { name: 'first-history', module: /\/app\/ui\/history\/load\/ask-first-history\./ },
  { name: 'first-chart', module: /\/app\/ui\/chart\/first\/first-readings\./ },
  { name: 'first-span', module: /\/app\/ui\/history\/load\/draw-first-history\./ },
];

/** The layout of every page. */
const ROOT = /\/app\/root\.tsx/;

/** What every page starts with, and the dashboard. */
const DASHBOARD_ENTRY = /\/app\/(root|entry\.client|routes\/_index)\.tsx/;

const CHART_MODULE = /\/app\/ui\/chart\//;

/**
 * Returns the script for a module that runs before React or that several pages use, or undefined to leave it to Rollup. Rollup
 * would make a small file for each set of pages with modules in common: more requests, and worse compression.
 *
 * @type {import('vite').Rollup.GetManualChunk}
 */
export function sharedScript(id, { getModuleIds, getModuleInfo }) {
  const pages = [...entriesOf([id], getModuleInfo)];
  /** @param {(typeof FIRST_SCRIPTS)[number]} script */
  const modulesOf = ({ module }) => [...getModuleIds()].filter((other) => module.test(other));
  const scripts = FIRST_SCRIPTS.filter((script) => importsOf(modulesOf(script), getModuleInfo).has(id));
  if (scripts[0]) {
    const users = entriesOf(scripts.flatMap(modulesOf), getModuleInfo);
    return pages.every((page) => users.has(page)) ? scripts[0].name : FIRST_SHARED;
  }
  if (pages.some((page) => ROOT.test(page))) return EVERY_PAGE;
  // The dashboard loads both scripts, so they have no code that only other pages share.
  if (pages.length < 2 || !pages.some((page) => DASHBOARD_ENTRY.test(page))) return;
  const chartModules = [...getModuleIds()].filter((module) => CHART_MODULE.test(module));
  const chartPages = entriesOf(chartModules, getModuleInfo);
  return pages.every((page) => chartPages.has(page)) ? CHART_PAGES : EVERY_PAGE;
}

/**
 * Returns the entries (each route is one) that import one of the modules statically, directly or not.
 *
 * @param {string[]} ids
 * @param {import('vite').Rollup.GetModuleInfo} getModuleInfo
 * @returns {Set<string>}
 */
function entriesOf(ids, getModuleInfo) {
  const entries = new Set();
  const importers = new Set(ids);
  for (const id of importers) {
    const info = getModuleInfo(id);
    if (info?.isEntry) entries.add(id);
    for (const importer of info?.importers ?? []) importers.add(importer);
  }
  return entries;
}

/**
 * Returns modules with all that they import statically, directly or not.
 *
 * @param {string[]} ids
 * @param {import('vite').Rollup.GetModuleInfo} getModuleInfo
 * @returns {Set<string>}
 */
function importsOf(ids, getModuleInfo) {
  const imports = new Set(ids);
  for (const id of imports)
    for (const imported of getModuleInfo(id)?.importedIds ?? []) imports.add(imported);
  return imports;
}
