/** A link of the header. */
interface PageLink {
  to: string;
  text: string;
  /** True if narrow screens have no room for its text. */
  isIcon?: true;
}

/** The pages of airboard, in the order of the header. */
export const PAGE_LINKS: readonly PageLink[] = [
  { to: '/', text: 'Dashboard' },
  { to: '/history', text: 'History' },
  { to: '/chart', text: 'Chart' },
  { to: '/postdata', text: 'Post data' },
];

/** Those of a server that sends notifications. */
export const ALL_PAGE_LINKS: readonly PageLink[] = [
  ...PAGE_LINKS,
  { to: '/notifications', text: 'Notifications', isIcon: true },
];
