import { singleton } from '../config/singleton.server';
import type { ApiRequest } from '../http/answer';
import { DAY_MS } from '../readings/time/durations';

const devices = singleton('device-posts', () => ({ lastAt: Number.NEGATIVE_INFINITY }));

/**
 * Returns true for a request of a browser, which sends `Origin` with every POST, and also `Sec-Fetch-Site` over TLS or from localhost.
 * A device sends neither.
 */
export function isFromPage(header: ApiRequest['header']): boolean {
  return header('sec-fetch-site') !== null || header('origin') !== null;
}

/** Remembers that a device stored a reading of the unnamed sensor, because random readings would mix with it. */
export function noteDevicePost(header: ApiRequest['header']): void {
  if (!isFromPage(header)) devices.lastAt = performance.now();
}

/** True if a device has posted in the last 24 hours and since this process started. */
export function hasDevicePosted(): boolean {
  return performance.now() - devices.lastAt < DAY_MS;
}
