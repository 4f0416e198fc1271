import { singleton } from '../config/singleton.server';
import type { ApiRequest } from '../http/answer';
import { DAY_MS } from '../readings/time/durations';

const devices = singleton('device-posts', () => ({ lastAt: Number.NEGATIVE_INFINITY }));

/**
 * Remembers when a device stored a reading of the unnamed sensor, which random readings would mix with.
 * A device is a program that isn't a browser. A browser sends `Origin` with every POST, and `Sec-Fetch-Site` too if the
 * page came over TLS or from localhost.
 */
export function noteDevicePost(header: ApiRequest['header']): void {
  if (header('sec-fetch-site') === null && header('origin') === null) devices.lastAt = performance.now();
}

/** Returns true if a device has posted during the last day, as far as this process knows. */
export function hasDevicePosted(): boolean {
  return performance.now() - devices.lastAt < DAY_MS;
}
