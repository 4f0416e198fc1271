import { z } from 'zod';
import { METRICS, type MetricField } from '../readings/metric';
import { conversionFrom } from '../readings/metric-units.js';
import { nameFault } from '../readings/sensor-name.js';
import { percentDecode } from './notify-address.server';

/** An AirGradient monitor on the local network. */
export interface AirGradientMonitor {
  /** A host name or address, optionally with a port. */
  host: string;
  /** The sensor's name; undefined for the monitor's serial number. */
  sensor?: string;
}

/** An MQTT broker, and the topics to take readings from. */
export interface MqttSettings {
  protocol: 'mqtt' | 'mqtts' | 'ws' | 'wss';
  /** An IPv6 address has no brackets here. */
  host: string;
  /** Undefined for the protocol's default. */
  port?: number;
  /** The path of a web socket. */
  path?: string;
  username?: string;
  password?: string;
  /** Undefined for an id that airboard creates and keeps for this installation. */
  clientId?: string;
  /** Topic filters; a `+` stands for the sensor's name. */
  topics: string[];
  /** The names in topics and messages that `MQTT_NAMES` explains, by `SENSOR/NAME`. */
  names: ReadonlyMap<string, NameSetting>;
  /** The prefix of Home Assistant's discovery topics; null to announce nothing. */
  homeAssistant: string | null;
}

/** The meaning of a name in MQTT messages. */
export interface NameSetting {
  field: MetricField;
  /** Undefined for the metric's own unit. */
  unit?: string;
  /** Undefined for the sensor that the topic names. */
  sensor?: string;
}

const HOST = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i;
const PROTOCOLS = ['mqtt', 'mqtts', 'ws', 'wss'] as const;

const isMonitor = ({ host, sensor }: AirGradientMonitor) =>
  sensor !== '' && HOST.test(host) && URL.canParse(`http://${host}`);

const monitors = z
  .string()
  .transform((list) =>
    list
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean)
      .map((part): AirGradientMonitor => {
        const end = part.lastIndexOf('=');
        return end < 0
          ? { host: part }
          : { sensor: part.slice(0, end).trim(), host: part.slice(end + 1).trim() };
      }),
  )
  .refine(
    (list) => list.every(isMonitor),
    'must be hosts like airgradient_ecda3b1eaaaf.local or Kitchen=192.168.1.30, separated by commas',
  )
  .refine(
    (list) => new Set(list.map(({ host }) => host.toLowerCase())).size === list.length,
    'names a host twice, so its readings would be stored twice: name each host once',
  );

/**
 * Accepts topic filters with a `+` as a whole level. Rejects `#`, which names no sensor, and shared subscriptions
 * (`$share/GROUP/TOPIC`): their messages arrive under TOPIC alone, and other subscribers would get some of them.
 */
const isTopic = (topic: string) => {
  const levels = topic.split('/');
  return (
    Buffer.byteLength(topic) <= 1024 &&
    !/[\0#]|^\$share\//.test(topic) &&
    levels.filter((level) => level === '+').length <= (isEspHomeTopic(topic) ? 2 : 1) &&
    levels.every((level) => level === '+' || !level.includes('+'))
  );
};

/** ESPHome's topics end with the metric and `state`, each with a number: `+/sensor/+/state`. */
export function isEspHomeTopic(topic: string): boolean {
  const levels = topic.split('/');
  return levels.length > 3 && levels.at(-3) === 'sensor' && levels.at(-1) === 'state';
}

const NAMES_EXPECTED =
  'must be names like sen54/voc=voc_index, attic/temperature=temperature:F or home/bedroom_co2=Bedroom/co2, separated by spaces';

/** Parses `SENSOR/NAME=METRIC`, with `:UNIT` or `SENSOR/` for the reading if needed. Names before the `=` may have spaces. */
const nameSettings = z.string().transform((text, context): Map<string, NameSetting> => {
  const names = new Map<string, NameSetting>();
  const entries = text.matchAll(/\s*([^=]*)=([^\s,]*)[\s,]*|\s*(\S[^=]*)$/g);
  for (const [entry, name = '', meaning = ''] of entries) {
    const [, sensor, field, unit] = /^(?:([^:]+)\/)?([a-z0-9_]+)(?::(.+))?$/.exec(meaning) ?? [];
    const metric = METRICS.find((each) => each.field === field);
    const isUnit =
      metric !== undefined && (unit === undefined || conversionFrom(unit, metric.field) !== undefined);
    const isSensor = sensor === undefined || nameFault(sensor) === null;
    if (!/.\/./.test(name) || names.has(name) || !metric || !isUnit || !isSensor) {
      context.addIssue({
        code: 'custom',
        message: `${NAMES_EXPECTED}. Wrong: ${JSON.stringify(entry.trim())}`,
      });
      return z.NEVER;
    }
    names.set(name, { field: metric.field, ...(unit && { unit }), ...(sensor && { sensor }) });
  }
  return names;
});

export const sourceShape = {
  AIRGRADIENT: monitors.default([]),
  MQTT_URL: z.string().optional(),
  MQTT_TOPIC: z
    .string()
    .transform((list) => list.split(/\s+/).filter(Boolean))
    .refine(
      (topics) => topics.length > 0 && topics.every(isTopic),
      'must be topics like airboard/+/reading, separated by spaces, with at most one +, which names the sensor, and no #',
    )
    .default(['airboard/+/reading']),
  MQTT_NAMES: nameSettings.default(new Map()),
  HOME_ASSISTANT: z.enum(['true', 'false'], 'must be true or false').default('false'),
  HOME_ASSISTANT_PREFIX: z
    .string()
    .regex(/^[^\s/+#]+(\/[^\s/+#]+)*$/, 'must be a topic like homeassistant, without spaces, + and #')
    .default('homeassistant'),
  SENSOR_TAG: z
    .string()
    .transform((list) => list.split(/[\s,]+/).filter(Boolean))
    .refine((tags) => tags.length > 0, 'must be the names of tags like room, separated by spaces')
    .default(['sensor', 'host', 'device']),
};

type SourceValues = z.infer<z.ZodObject<typeof sourceShape>>;

/**
 * Returns the broker's settings, or null if `MQTT_URL` isn't set.
 *
 * @param report called for each invalid setting, without values that could be secret
 */
export function mqttSettings(
  {
    MQTT_URL,
    MQTT_TOPIC: topics,
    MQTT_NAMES: names,
    HOME_ASSISTANT,
    HOME_ASSISTANT_PREFIX,
  }: Pick<
    SourceValues,
    'MQTT_URL' | 'MQTT_TOPIC' | 'MQTT_NAMES' | 'HOME_ASSISTANT' | 'HOME_ASSISTANT_PREFIX'
  >,
  report: (setting: string, message: string) => void,
): MqttSettings | null {
  if (!MQTT_URL) return null;
  const url = /^[a-z]+:\/\/[^/]/i.test(MQTT_URL) && URL.canParse(MQTT_URL) ? new URL(MQTT_URL) : null;
  const protocol = PROTOCOLS.find((each) => url?.protocol === `${each}:`);
  const isWebSocket = protocol === 'ws' || protocol === 'wss';
  const hasOnlyId = [...(url?.searchParams.keys() ?? [])].every((name) => name === 'clientId');
  const hasPath = !['', '/'].includes(url?.pathname ?? '');
  if (!url?.hostname || !protocol || url.hash || !hasOnlyId || (hasPath && !isWebSocket)) {
    report(
      'MQTT_URL',
      'must be an address like mqtt://user:password@192.168.1.10 or mqtts://broker.example.org:8883 ' +
        '(percent-encode :, /, @, ? and # of the password; set the topic in MQTT_TOPIC)',
    );
    return null;
  }
  return {
    protocol,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || undefined,
    path: isWebSocket ? url.pathname : undefined,
    username: percentDecode(url.username) || undefined,
    password: percentDecode(url.password) || undefined,
    clientId: url.searchParams.get('clientId') || undefined,
    topics,
    names,
    homeAssistant: HOME_ASSISTANT === 'true' ? HOME_ASSISTANT_PREFIX : null,
  };
}
