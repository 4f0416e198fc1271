import type { MqttSettings } from '../config/source-settings.server';
import type { ReadingStore } from '../store/reading-store';
import { clientIdOf, shortHash } from './mqtt-connection.server';

/** The topics of what airboard publishes for Home Assistant. */
export interface HomeAssistantTopics {
  /** `online` while airboard is connected, else `offline`. Retained. */
  status: string;
  /** Returns the id of a sensor's device. Ids of other installations and sensors differ, whatever their names. */
  idOf(sensor: string): string;
  /** The values of a device, as a JSON object. */
  stateOf(id: string): string;
  /** The description of a device. Retained. */
  configOf(id: string): string;
  /** Selects the descriptions of all programs' devices. */
  configs: string;
  /** Returns the device whose description a topic has; null for those of other programs and installations. */
  deviceIn(configTopic: string): string | null;
  /** Returns true for a topic to which this installation publishes. */
  isOwn(topic: string): boolean;
}

/** Home Assistant ignores ids with other characters than letters, digits, `_` and `-`, so names are hashed. */
export function homeAssistantTopics(
  settings: MqttSettings,
  store: Pick<ReadingStore, 'description'>,
): HomeAssistantTopics {
  const node = shortHash(clientIdOf(settings, store));
  const [base, own] = [`airboard/${node}`, `airboard_${node}_`];
  const configOf = (id: string) => `${settings.homeAssistant}/device/${id}/config`;
  const deviceIn = (topic: string) => {
    const id = topic.split('/').at(-2) ?? '';
    return id.startsWith(own) && topic === configOf(id) ? id : null;
  };
  return {
    status: `${base}/status`,
    idOf: (sensor) => own + shortHash(sensor),
    stateOf: (id) => `${base}/${id}/state`,
    configOf,
    configs: configOf('+'),
    deviceIn,
    isOwn: (topic) => topic.startsWith(`${base}/`) || deviceIn(topic) !== null,
  };
}
