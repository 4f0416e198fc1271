export const DAY_MS = 86_400_000;

/** A span of time in milliseconds since 1970. */
export interface Span {
  name: string;
  from: number;
  to: number;
}

/** Returns spans that end now. Ten million readings, 15 s apart, reach back 4.7 years. */
export function spansBack(): Span[] {
  const to = Date.now();
  const days = { 'a day': 1, 'a week': 7, 'a month': 30, 'a year': 365, all: 1737 };
  return Object.entries(days).map(([name, length]) => ({ name, from: to - length * DAY_MS, to }));
}
