/** The pages of airboard, in the order of the header. */
export const PAGE_LINKS = [
  { to: '/', text: 'Dashboard' },
  { to: '/history', text: 'History' },
  { to: '/chart', text: 'Chart' },
  { to: '/postdata', text: 'Post data' },
];
