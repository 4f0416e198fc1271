import { METRICS, type Metric } from '../readings/metric';

/** The default and meaning of each setting, in groups, as Markdown. `npm run docs` writes docs/settings.md from it. */
export const SETTING_DESCRIPTIONS: Record<string, Record<string, { default: string; meaning: string }>> = {
  server: {
    HOST: {
      default: 'every interface',
      meaning:
        'The address to listen on, such as `127.0.0.1` or `::1`. `npm run dev` listens on `localhost` by default.',
    },
    PORT: {
      default: '`3000`',
      meaning: 'The port to listen on. The server stops with a message if it is in use.',
    },
    BASE_PATH: {
      default: 'none',
      meaning:
        'The path below which everything is served, such as `/air`, for a proxy that serves other programs at the same host name ([install.md](install.md#below-a-path)). `npm run dev` ignores it.',
    },
    DATABASE_PATH: {
      default: '`data/readings.db`',
      meaning:
        'The SQLite file with the readings. `~/` is the home folder; missing folders are created. Only one server can use a file.',
    },
    RAW_DAYS: {
      default: '`0`',
      meaning:
        'The days for which raw readings are kept, at least 30. Their five-minute slots are kept for ever, so that long histories stay exact ([operate.md](operate.md#keep-raw-readings-for-some-days-only)). `0` keeps all raw readings. A sensor can have its own on `/sensors`.',
    },
    TRUST_PROXY: {
      default: '`0`',
      meaning:
        'How many proxies in front of the server add the client’s address to `X-Forwarded-For`: `1` behind one. With `0`, all clients of a proxy count as one address.',
    },
    PUBLIC_URL: {
      default: 'none',
      meaning:
        'The address at which people reach this server, such as `https://air.example.org`, without `BASE_PATH`, for links in notifications.',
    },
    READ_KEY: {
      default: 'none',
      meaning:
        'The key that pages and the API need for reading, and for every change but posts of readings ([operate.md](operate.md#not-for-everybody)). A browser asks for it once; programs send `Authorization: Bearer KEY`. Without this setting, anyone who can reach the server can read. Use 16 random characters or more, as for `WRITE_KEY`.',
    },
    ALLOWED_ORIGINS: {
      default: 'none',
      meaning:
        'Origins of other sites whose pages may use the API, such as `https://example.org`, separated by commas.',
    },
    ALLOW_EMBED: {
      default: '`false`',
      meaning:
        'Addresses of sites that may show `/`, `/history` and `/chart` in a frame, such as `https://ha.example:8123`, separated by commas. In such a frame, nothing can be posted ([home-assistant.md](home-assistant.md#airboard-on-a-dashboard)). `true` lets every site show `/chart`.',
    },
  },
  posting: {
    WRITE_KEY: {
      default: 'none',
      meaning:
        "The key that a post needs, as `Authorization: Bearer KEY` or as the password of Basic authentication. Pages offer posting only in a browser where the key was entered, on `/postdata` or `/notifications`. Without this setting, anyone who can reach the server can write. Use 16 random characters or more. After five wrong keys, further wrong ones from the address get 429 for up to a minute. The right key is always accepted, so the wait alone doesn't protect a short key or a word.",
    },
    POSTS_PER_MINUTE: {
      default: '`300000`',
      meaning:
        'The most readings that one address may send in a minute, and the most that are stored in a minute for all addresses together. Each reading of a batch counts, and a batch over the limit is refused as a whole. Half of the limit is reserved for addresses that have stored a reading before. `0` means no limit.',
    },
    MAX_SENSORS: {
      default: '`5000`',
      meaning:
        'The most sensors with names. A reading that would create another one gets 409; readings of known sensors are stored. A database with more sensors keeps all of them.',
    },
    RANDOM_POSTS: {
      default: '`true`; in the package `false`',
      meaning:
        'With `false`, pages offer no random, counter or automatic readings. These are stored only under the unnamed sensor. Set it before you connect a sensor that sends no name: an open `/postdata` adds random readings to its history. With a `WRITE_KEY`, only a browser that remembers the key does.',
    },
  },
  levels: {
    ...Object.fromEntries(METRICS.flatMap(describeThresholds)),
    CO2_OUTDOOR: {
      default: '`425`',
      meaning:
        'CO2 of the air outdoors in PPM. Ventilation, airings and a sensor’s offset are computed from it ([window.md](window.md)).',
    },
    OUTDOOR_SENSOR: {
      default: 'none',
      meaning:
        'The name of the sensor outdoors, exactly as it sends it. Its CO2, PM2.5, temperature and humidity serve all rooms ([window.md](window.md#outdoors)).',
    },
    OUTDOOR_TEMPERATURE: {
      default: 'none',
      meaning:
        'The temperature outdoors in °C where no sensor measures it, such as the average of the month. The risk of mould needs it.',
    },
    OUTDOOR_HUMIDITY: {
      default: 'none',
      meaning:
        'The relative humidity outdoors in percent where no sensor measures it. With `OUTDOOR_TEMPERATURE` it says whether airing dries a room.',
    },
  },
  notifications: {
    NOTIFY_URLS: {
      default: 'none',
      meaning:
        'Addresses to notify, separated by spaces ([addresses](notifications-reference.md#addresses)).',
    },
    NOTIFY_ON: {
      default: '`poor,silent`',
      meaning:
        'The states to notify of: `moderate` (or worse), `poor` and `silent`. Their ends are notified too. Also `aired`, when the window can be closed, and `sensor`, when a sensor’s CO2 can’t be believed. Changing it sends nothing about states that already hold.',
    },
    NOTIFY_AFTER: {
      default: '`5min`',
      meaning:
        'How long readings must stay beyond a threshold, or below 95 % of it again, before a notification is sent. Durations are `90s`, `5min` or `5m`, `2h`, `1d` or a number of seconds.',
    },
    SILENT_AFTER: {
      default: 'learned',
      meaning:
        'A sensor is silent after this time without a reading. Not set: after three of its usual intervals, at least 15 minutes.',
    },
    NOTIFY_AGAIN: {
      default: 'never',
      meaning: 'How often to remind of a state that still holds, such as `2h`.',
    },
    NOTIFY_QUIET: {
      default: 'none',
      meaning:
        'Hours in which nothing is sent, such as `22:00-07:00`. Afterwards, one notification is sent for each state that still holds.',
    },
    NOTIFY_TIME_ZONE: {
      default: 'the server’s',
      meaning: 'The time zone of quiet hours and of the times in messages, such as `Europe/Berlin`.',
    },
    NOTIFY_SECRET: {
      default: 'none',
      meaning:
        'Signs webhooks by the Standard Webhooks specification: `whsec_` and 24 to 64 random bytes in Base64, made by `echo whsec_$(openssl rand -base64 32)`.',
    },
    SMTP_URL: {
      default: 'none',
      meaning:
        'The mail server for `mailto:` addresses: `smtps://USER:PASSWORD@HOST`, or `smtp://` for STARTTLS, with `?from=ADDRESS` unless the user is a mail address ([e-mail](notifications.md#e-mail)).',
    },
  },
  sources: {
    AIRGRADIENT: {
      default: 'none',
      meaning:
        'AirGradient monitors to read once a minute: hosts separated by commas, each with or without a name before it, such as `Kitchen=192.168.1.30` ([airgradient.md](devices/airgradient.md)).',
    },
    POLL_URLS: {
      default: 'none',
      meaning:
        'Addresses with JSON to read regularly, separated by spaces: an Awair, a PurpleAir, or any other with the places of its metrics, such as `http://192.168.1.42/state#co2=data.co2&temperature_f=data.temp&sensor=Attic&every=30s` ([polled.md](devices/polled.md)).',
    },
    MQTT_URL: {
      default: 'none',
      meaning:
        'An MQTT broker to take readings from: `mqtt://USER:PASSWORD@HOST`, or `mqtts://` with TLS ([mqtt.md](devices/mqtt.md)).',
    },
    MQTT_TOPIC: {
      default: '`airboard/+/reading`',
      meaning:
        'The topics of the readings, separated by spaces. The `+` stands for the name of the sensor. `zigbee2mqtt/+`, `tele/+/SENSOR` (Tasmota), `+/sensor/+/state` (ESPHome, Home Assistant) and `airgradient/readings/+` are read in their own formats.',
    },
    MQTT_NAMES: {
      default: 'none',
      meaning:
        "What names in topics and messages mean where airboard can't know it: `SENSOR/NAME=METRIC`, separated by spaces, such as `sen54/voc=voc_index`, with a unit as in `attic/temperature=temperature:F`, or with another sensor as in `home/bedroom_co2=Bedroom/co2`. The log names those to set ([mqtt.md](devices/mqtt.md#names)).",
    },
    HOME_ASSISTANT: {
      default: '`false`',
      meaning:
        '`true`: announces all sensors to Home Assistant by MQTT discovery, at the broker of `MQTT_URL` ([home-assistant.md](home-assistant.md#by-mqtt-discovery)).',
    },
    HOME_ASSISTANT_PREFIX: {
      default: '`homeassistant`',
      meaning: "The discovery prefix in Home Assistant's settings of MQTT.",
    },
    SENSOR_TAG: {
      default: '`sensor host device`',
      meaning:
        'The tags of line protocol that name a sensor, separated by spaces: the first one that a line has ([influxdb.md](devices/influxdb.md)).',
    },
  },
  supabase: {
    SUPABASE_URL: {
      default: 'none',
      meaning:
        'With this and a public key, readings go to that [Supabase project](supabase.md) instead of the file.',
    },
    SUPABASE_PUBLISHABLE_KEY: {
      default: 'none',
      meaning: 'The project’s public key, `sb_publishable_…`. Every page contains it.',
    },
    SUPABASE_ANON_KEY: {
      default: 'none',
      meaning:
        'The older public key, a JWT of the role `anon`; used if `SUPABASE_PUBLISHABLE_KEY` isn’t set.',
    },
    SUPABASE_SECRET_KEY: {
      default: 'none',
      meaning:
        'The secret key, used only by the server. Notifications, deleting notes and `prune` need it; with it, the public key needs no permission to add readings.',
    },
  },
};

function describeThresholds({
  field,
  name,
  unit,
  threshold,
}: Metric): [string, { default: string; meaning: string }][] {
  if (!threshold) return [];
  const setting = field.toUpperCase();
  const moderate = `Below this value, ${name} is moderate; otherwise it is poor. Must be above \`${setting}_GOOD\`.`;
  return [
    [
      `${setting}_GOOD`,
      {
        default: `\`${threshold.good}\``,
        meaning: `Below this value${unit && ` in ${unit}`}, ${name} is good.`,
      },
    ],
    [`${setting}_MODERATE`, { default: `\`${threshold.moderate}\``, meaning: moderate }],
  ];
}
