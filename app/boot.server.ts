import { setTimeout as sleep } from 'node:timers/promises';
import { askForKey } from './access/key-form.server';
import { runningAlerts, startAlerts } from './alerts/start-alerts.server';
import { serveBelow } from './base-path';
import { getEnv, StartupError } from './config/env.server';
import { warningsAbout } from './config/setting-warnings.server';
import { singleton } from './config/singleton.server';
import type { ApiRoutes } from './http/answer';
import type { InstalledGuard } from './http/guard/remix-serve.server';
import { installRequestGuard, remixOptions } from './http/guard/remix-serve.server';
import { createRequestGuard } from './http/guard/request-guard.server';
import { announceReadings, announceSettings, closeInsertStreams } from './live/server/insert-streams.server';
import type { BackgroundWork } from './room/background-rounds.server';
import { keepRawDays } from './room/keep-raw-days.server';
import { keepRooms } from './room/keep-rooms.server';
import { roomNow, watchRooms } from './room/rooms-now.server';
import * as air from './routes/api.air';
import * as airings from './routes/api.airings';
import * as airrohr from './routes/api.airrohr';
import * as data from './routes/api.data';
import * as docs from './routes/api.docs';
import * as enviro from './routes/api.enviro';
import * as history from './routes/api.history';
import * as live from './routes/api.live';
import * as notes from './routes/api.notes';
import * as notifications from './routes/api.notifications';
import * as openapi from './routes/api.openapi[.]json';
import * as pattern from './routes/api.pattern';
import * as restore from './routes/api.restore';
import * as rooms from './routes/api.rooms';
import * as sensors from './routes/api.sensors';
import * as summary from './routes/api.summary';
import * as influx2 from './routes/api.v2.write';
import * as ventilation from './routes/api.ventilation';
import * as healthz from './routes/healthz';
import * as metrics from './routes/metrics';
import * as readKey from './routes/read-key';
import * as airGradientFirmware from './routes/sensors.$monitor.generic.os.firmware[.]bin';
import * as airGradientMeasures from './routes/sensors.$monitor.measures';
import * as airGradientConfig from './routes/sensors.$monitor.one.config';
import * as influx from './routes/write';
import { startSources, stopSources } from './sources/start-sources.server';
import { getSettings, getStore, onDeletion, openStore, settingsFor } from './store/open-store.server';
import type { ReadingStore } from './store/reading-store';

export const API_ROUTES: ApiRoutes = {
  '/api/air': air,
  '/api/airings': airings,
  '/api/airrohr': { ...airrohr, openMethod: 'POST' },
  '/api/data': { ...data, actionMethods: ['POST', 'DELETE'], openMethod: 'POST' },
  '/api/docs': { ...docs, openMethod: 'GET' },
  '/api/enviro': { ...enviro, openMethod: 'POST' },
  '/api/history': history,
  '/api/live': live,
  '/api/notes': { ...notes, actionMethods: ['POST', 'DELETE'] },
  '/api/notifications': notifications,
  '/api/openapi.json': { ...openapi, openMethod: 'GET' },
  '/api/pattern': pattern,
  '/api/restore': restore,
  '/api/rooms': rooms,
  '/api/sensors': { ...sensors, actionMethods: ['PATCH'] },
  '/api/summary': summary,
  '/api/v2/write': { ...influx2, openMethod: 'POST' },
  '/api/ventilation': ventilation,
  '/healthz': { ...healthz, openMethod: 'GET' },
  '/metrics': metrics,
  '/read-key': { ...readKey, openMethod: 'POST' },
  '/sensors/airgradient:{serial}/generic/os/firmware.bin': { ...airGradientFirmware, openMethod: 'GET' },
  '/sensors/airgradient:{serial}/measures': { ...airGradientMeasures, openMethod: 'POST' },
  '/sensors/airgradient:{serial}/one/config': { ...airGradientConfig, openMethod: 'GET' },
  '/write': { ...influx, openMethod: 'POST' },
};

/** The paths of pages. The guard passes only requests for these on to Remix. */
export const PAGES = ['/', '/history', '/chart', '/postdata', '/notifications', '/rooms', '/sensors'];

/** The guard for Vite's development server. `scripts/build/vite-plugins.js` loads it again after each edit. */
export const requestGuard = createRequestGuard(API_ROUTES, { askForKey });

/** The running background work: findings about rooms, the removal of old raw readings, and news for Home Assistant. */
let work: (BackgroundWork | null)[] = [];

/**
 * Opens the store before the server listens, and installs the request guard, once per process. If a setting is invalid
 * or the store can't be opened, the process ends with exit code 1 and one message.
 */
export function boot(): Promise<void> {
  return singleton('boot', async () => {
    try {
      // Vite serves its scripts at the root.
      if (import.meta.env.PROD) serveBelow(getEnv().BASE_PATH);
      const store = await openStore();
      console.log(`[airboard] readings are kept in: ${store.description}`);
      const { alerts, thresholds } = getEnv();
      const settings = getSettings();
      const notified = startAlerts(alerts, thresholds, store, roomNow, {
        of: (sensor) => ({
          thresholds: settings.thresholdsOf(sensor),
          silentAfterMs: settings.silentAfterMsOf(sensor, alerts.silentAfterMs),
        }),
        isFormerName: (sensor) => settings.nameOf(sensor) !== sensor,
      });
      settings.subscribe((areNamesNew) => {
        announceSettings();
        if (areNamesNew) runningAlerts()?.reload();
      });
      onDeletion((sensor) => {
        announceReadings(sensor);
        runningAlerts()?.reload();
      });
      if (notified) console.log(`[airboard] ${notified}`);
      await startSources(getEnv(), store);
      const rooms = keepRooms(store, settingsFor);
      const rawDaysOf = (sensor: string) => settings.rawDaysOf(sensor, getEnv().RAW_DAYS);
      const raw = keepRawDays(store, rawDaysOf, () => rooms?.hasAll() ?? true);
      work = [rooms, raw, watchRooms(store, settingsFor), await startHomeAssistant(store)];
      for (const warning of warningsAbout(getEnv())) console.log(`[airboard] ${warning}`);
    } catch (error) {
      if (!(error instanceof StartupError)) throw error;
      console.error(`[airboard] can't start: ${error.message}`);
      process.exit(1);
    }
    // The development server installs the guard and handles signals itself.
    if (import.meta.env.PROD) {
      const guard = installRequestGuard(API_ROUTES, { askForKey, ...remixOptions(PAGES) }, getEnv().PORT);
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => shutDown(guard, signal));
      // Without a listener, a full disk or a closed pipe would end the process when it logs.
      for (const log of [process.stdout, process.stderr]) log.on('error', () => {});
    }
  });
}

/** Loads the code for MQTT only if needed. */
async function startHomeAssistant(store: ReadingStore): Promise<BackgroundWork | null> {
  const { mqtt } = getEnv();
  if (!mqtt || mqtt.homeAssistant === null) return null;
  const { announceSensors } = await import('./home-assistant/announce-sensors.server');
  return announceSensors(mqtt, store);
}

/** The most time for requests in progress at shutdown. Including closing the store, the process ends within 5 s. */
const DRAIN_MS = 4000;
const CLOSE_STORE_MS = 500;

let isShuttingDown = false;

/**
 * Ends the streams, notifications, sources and background work, waits for requests in progress, closes the store and
 * exits. remix-serve would only stop accepting connections, and wait for the streams forever.
 */
async function shutDown(guard: InstalledGuard, signal: NodeJS.Signals): Promise<void> {
  // npm, a shell and a terminal may each send the signal.
  if (isShuttingDown) return;
  isShuttingDown = true;
  closeInsertStreams();
  const stopped = Promise.all([stopSources(), runningAlerts()?.stop(), ...work.map((each) => each?.stop())]);
  await guard.close(DRAIN_MS);
  // Closing has a time limit, because it waits for inserts, which may wait for a locked database.
  await Promise.race([
    stopped.catch(console.error).then(() => getStore().close()),
    sleep(CLOSE_STORE_MS),
  ]).catch(console.error);
  // Without this line, a stop would look like a crash in the log.
  console.log(`[airboard] ${new Date().toISOString()} stopped by ${signal}`);
  process.exit(0);
}
