/**
 * The options of the app, as Home Assistant writes them (config.yaml has their schema).
 *
 * @typedef {{ home_assistant: boolean, write_key?: string, read_key?: string, settings: string[] }} Options
 *
 * The broker, as `GET /services/mqtt` of the Supervisor describes it.
 *
 * @typedef {{ host: string, port: number, ssl?: boolean, username?: string, password?: string }} Broker
 */

/**
 * Returns airboard's settings, as variables of the environment. Those in `settings` win.
 *
 * @param {Options} options
 * @param {Broker | null} broker
 * @returns {Record<string, string>}
 */
export function settingsOf({ home_assistant, write_key, read_key, settings }, broker) {
  return {
    RANDOM_POSTS: 'false',
    ...(write_key && { WRITE_KEY: write_key }),
    ...(read_key && { READ_KEY: read_key }),
    ...(broker && { MQTT_URL: addressOf(broker), HOME_ASSISTANT: String(home_assistant) }),
    ...Object.fromEntries(settings.map((line) => /^([^=]+)=(.*)$/s.exec(line)?.slice(1) ?? [line, ''])),
  };
}

/** @param {Broker} broker */
function addressOf({ host, port, ssl, username = '', password = '' }) {
  const user = username && `${encodeURIComponent(username)}:${encodeURIComponent(password)}@`;
  return `${ssl ? 'mqtts' : 'mqtt'}://${user}${host}:${port}`;
}
