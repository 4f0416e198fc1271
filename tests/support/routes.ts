/** Every kind of page that a visitor can open, error pages included. */
export const PAGES = ['/', '/postdata', '/chart', '/chart?range=1HR', '/chart?range=1DAY', '/nowhere'];

/** The pages that answer with 200. */
export const GOOD_PAGES = PAGES.slice(0, 4);
