/**
 * A worker that formats a time. The first use of `Intl` in a process takes 70 ms on a slow phone, whichever thread it is in,
 * and here the page's own thread doesn't wait for it (`ask-first-history.ts`).
 */
new Intl.DateTimeFormat().format();
close();
