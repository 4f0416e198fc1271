/** Starts airboard in the app's container, with the app's options and Home Assistant's broker as its settings. */
import { readFileSync } from 'node:fs';
import { settingsOf } from './settings.js';

/** Where npm installs it in the container (Dockerfile). */
const AIRBOARD = '/usr/local/lib/node_modules/airboard/scripts/airboard.js';

const options = JSON.parse(readFileSync('/data/options.json', 'utf8'));
Object.assign(process.env, settingsOf(options, await broker()));
await import(AIRBOARD);

/** Returns the broker that Home Assistant knows; null without one, such as before the Mosquitto app is installed. */
async function broker() {
  const headers = { Authorization: `Bearer ${process.env.SUPERVISOR_TOKEN}` };
  try {
    const answer = await fetch('http://supervisor/services/mqtt', {
      headers,
      signal: AbortSignal.timeout(10_000),
    });
    if (answer.ok) return (await answer.json()).data;
    console.log('[airboard] Home Assistant knows no MQTT broker, so it gets no sensors from airboard');
  } catch (error) {
    console.error(`[airboard] can't ask Home Assistant for its MQTT broker: ${error}`);
  }
  return null;
}
