import type { Env } from '../config/env.server';
import { EVERY_MS } from '../config/poll-settings.server';
import { singleton } from '../config/singleton.server';
import type { ReadingStore } from '../store/reading-store';
import { pollDevice } from './poll-device.server';
import { AIRGRADIENT_FORMAT } from './polled-formats.server';
import type { Source } from './source';

const started = singleton('sources', (): { sources: Source[] } => ({ sources: [] }));

/** Starts to fetch readings from the sources in the settings. Loads the code for MQTT only if needed. */
export async function startSources(
  { AIRGRADIENT, POLL_URLS, mqtt }: Env,
  store: ReadingStore,
): Promise<void> {
  const monitors = AIRGRADIENT.map(({ host, sensor }) => ({
    ...{ url: `http://${host}/measures/current`, everyMs: EVERY_MS, format: AIRGRADIENT_FORMAT },
    ...(sensor !== undefined && { sensor }),
  }));
  for (const device of [...monitors, ...POLL_URLS]) started.sources.push(pollDevice(device, store));
  if (mqtt) {
    const { followMqtt } = await import('./follow-mqtt.server');
    started.sources.push(followMqtt(mqtt, store));
  }
}

export async function stopSources(): Promise<void> {
  await Promise.all(started.sources.map((source) => source.stop()));
}
