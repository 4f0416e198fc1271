import type { Env } from '../config/env.server';
import { singleton } from '../config/singleton.server';
import type { ReadingStore } from '../store/reading-store';
import { pollAirGradient } from './poll-airgradient.server';
import type { Source } from './source';

const started = singleton('sources', (): { sources: Source[] } => ({ sources: [] }));

/** Starts to fetch readings from the sources in the settings. Loads the code for MQTT only if needed. */
export async function startSources({ AIRGRADIENT, mqtt }: Env, store: ReadingStore): Promise<void> {
  for (const monitor of AIRGRADIENT) started.sources.push(pollAirGradient(monitor, store));
  if (mqtt) {
    const { followMqtt } = await import('./follow-mqtt.server');
    started.sources.push(followMqtt(mqtt, store));
  }
}

export async function stopSources(): Promise<void> {
  await Promise.all(started.sources.map((source) => source.stop()));
}
