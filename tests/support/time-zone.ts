import { afterEach } from 'vitest';

const zone = process.env.TZ;

/** Sets the local time zone for the rest of a test. Call it in the test. */
export function setTimeZone(name: string): void {
  process.env.TZ = name;
}

/** Restores the machine's own time zone after each test of a file. */
export function keepTimeZone(): void {
  afterEach(() => {
    process.env.TZ = zone;
    if (zone === undefined) delete process.env.TZ;
  });
}
