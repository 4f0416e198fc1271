import { cleanup } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

/** Of Remix's stub of its routes, which can't be told of the flags that the product sets. */
const STUB_WARNING = '⚠️ React Router Future Flag Warning';

const complaints: string[] = [];
const complain = (...words: unknown[]) => {
  const text = words.map(String).join(' ');
  if (!text.startsWith(STUB_WARNING)) complaints.push(text);
};

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(complain);
  vi.spyOn(console, 'warn').mockImplementation(complain);
});

/** What React and the router complain of is a defect: an unexpected complaint on the console fails its test. */
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  const unexpected = takeComplaints();
  if (unexpected.length > 0) throw new Error(`unexpected on the console:\n${unexpected.join('\n')}`);
});

/** Takes the complaints that a test provokes, and gives them. */
export function takeComplaints(): string[] {
  return complaints.splice(0);
}
