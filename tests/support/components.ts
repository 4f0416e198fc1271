import { cleanup } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

/** A warning of `createRemixStub`, which can't set the product's future flags. */
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

/** Fails a test that wrote an unexpected error or warning to the console. */
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  const unexpected = takeComplaints();
  if (unexpected.length > 0) throw new Error(`unexpected console output:\n${unexpected.join('\n')}`);
});

/** Returns and clears the console output, for a test that provokes some. */
export function takeComplaints(): string[] {
  return complaints.splice(0);
}
