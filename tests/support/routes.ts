/** Every page a visitor can open, those that say what is wrong included. */
export const PAGES = ['/', '/postdata', '/chart', '/chart?range=1HR', '/chart?range=1DAY', '/nowhere'];

/** The pages that are what was asked for. */
export const GOOD_PAGES = PAGES.slice(0, 4);
