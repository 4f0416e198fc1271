import { setTimeout as sleep } from 'node:timers/promises';
import type { AlertSettings } from '../config/alert-settings.server';
import { clockFault } from '../config/clock.server';
import { getEnv } from '../config/env.server';
import { outdoorSensor } from '../config/outdoor-sensor.server';
import { singleton } from '../config/singleton.server';
import type { AirRules } from '../readings/air/air-state';
import type { Thresholds } from '../readings/metric';
import type { VentilationAnswer } from '../readings/room/ventilation-answer';
import { type AlertStore, LEASE_SECONDS, LeaseLostError, type WatchedSensor } from '../store/alert-store';
import { type ReadingStore, StoreUnavailableError } from '../store/reading-store';
import { alertAddresses } from './addresses.server';
import { type RunningDelivery, startDelivery } from './deliver.server';
import { Evaluator, type EvaluatorOptions, type OwnRules } from './evaluator.server';
import { memoryAlertStore } from './memory-alert-store';
import { isQuiet } from './notify-rules';

/** The interval between rounds, and its maximum after slow rounds. */
const ROUND_MS = 500;
const LONGEST_WAIT_MS = 5000;
/** Rounds take at most this share of the time, because an import may bring many readings to judge. */
const SHARE = 0.1;

const HOLD_MS = (LEASE_SECONDS * 1000) / 3;
const PRUNE_MS = 3_600_000;
const KEPT_MS = 90 * 86_400_000;

/** The running evaluation and delivery. */
export interface RunningAlerts extends Pick<AlertStore, 'lastTransition'> {
  /** Returns every judged sensor. Throws `StoreUnavailableError` before the first readings are judged. */
  sensors(): Promise<WatchedSensor[]>;
  /**
   * Returns the time when a sensor becomes silent without another reading, in milliseconds since 1970; null while
   * another process judges.
   */
  silentFrom(watched: WatchedSensor): number | null;
  nextAttempts: RunningDelivery['nextAttempts'];
  /** Returns the rules of a sensor, which may have its own. */
  rulesOf(sensor: string): Pick<AirRules, 'thresholds' | 'silentAfterMs'>;
  /** Reads the state of all sensors again, after one of them got another name or lost readings. */
  reload(): void;
  /** Stores the state and aborts messages in progress. They are sent again after the next start. */
  stop(): Promise<void>;
}

const running = singleton('alerts', (): { alerts: RunningAlerts | null } => ({ alerts: null }));

/**
 * Starts judging, for browsers too, and delivering to the addresses. If several processes share a store, only one at a
 * time does so. Returns a line for the log; null without addresses.
 *
 * @param roomNow returns the current findings about a sensor's room
 * @param ownRules the rules of sensors that have their own
 */
export function startAlerts(
  settings: AlertSettings,
  thresholds: Thresholds,
  readings: ReadingStore,
  roomNow: (sensor: string) => VentilationAnswer | null,
  ownRules?: OwnRules,
): string | null {
  const alerts = readings.alerts ?? memoryAlertStore();
  const addresses = readings.alerts ? alertAddresses(settings) : [];
  const { quiet, timeZone, publicUrl } = settings;
  const isQuietAt = (now: number) => quiet !== null && isQuiet(quiet, timeZone, now);
  const delivery = startDelivery(alerts, addresses, { isQuietAt, publicUrl });
  const keys = addresses.map(({ key }) => key);
  const rules = { ...settings, thresholds };
  const rooms = addresses.length > 0 && {
    kinds: settings.aboutRooms,
    roomNow,
    // Programs such as Alertmanager expect states, and these notices aren't about a state.
    addresses: addresses.filter(({ takesAll }) => !takesAll).map(({ key }) => key),
  };
  running.alerts = runAlerts(
    {
      ...{ readings, alerts, addresses: keys, rules, ownRules, ...(rooms && { rooms }) },
      ...{ mostSensors: mostJudged(), outdoorSensor: () => outdoorSensor() },
    },
    delivery,
  );
  if (addresses.length > 0) return `notifications go to: ${addresses.map(({ label }) => label).join(', ')}`;
  return settings.urls.length === 0
    ? null
    : 'notifications are off: in a Supabase project they need SUPABASE_SECRET_KEY, which is not set';
}

/** The most judged sensors: `MAX_SENSORS`, and the unnamed one. An older database may have more sensors. */
export const mostJudged = (): number => getEnv().MAX_SENSORS + 1;

/** Returns the missing setting if notifications are off. With Supabase they need its secret key. */
export function missingSetting(): 'NOTIFY_URLS' | 'SUPABASE_SECRET_KEY' {
  return getEnv().alerts.urls.length > 0 ? 'SUPABASE_SECRET_KEY' : 'NOTIFY_URLS';
}

export const notJudgedYet = () => new StoreUnavailableError('The air has not been judged yet.', 1);

/** Returns the alerts that `startAlerts` started; null before. */
export function runningAlerts(): RunningAlerts | null {
  return running.alerts;
}

/** Judges in rounds and wakes the delivery when there is a message. */
function runAlerts(
  options: EvaluatorOptions & { alerts: AlertStore },
  delivery: RunningDelivery,
): RunningAlerts {
  const { alerts } = options;
  const stopping = new AbortController();
  let evaluator: Evaluator | null = null;
  /** True once the evaluator has judged what was stored when it began. */
  let isCurrent = false;
  let isHeld = false;
  let isFailing = false;

  async function hold(): Promise<void> {
    try {
      const wasHeld = isHeld;
      isHeld = await alerts.hold();
      // Another process judges now.
      if (!isHeld) abandon();
      else if (!wasHeld) delivery.wake();
    } catch (error) {
      report(error);
    }
  }

  function abandon(): void {
    evaluator?.abandon();
    evaluator = null;
    isCurrent = false;
  }

  async function round(): Promise<void> {
    // Silence is judged by the server's clock.
    if (!isHeld || clockFault()) return;
    try {
      const current = evaluator ?? (await Evaluator.open(options));
      evaluator ??= current;
      if (current.isDue() && (await current.round())) delivery.wake();
      isCurrent = true;
      isFailing = false;
    } catch (error) {
      abandon();
      report(error);
    }
  }

  function report(error: unknown): void {
    if (error instanceof LeaseLostError) return;
    if (!isFailing) {
      const reason = error instanceof StoreUnavailableError ? error.message : error;
      console.error('[airboard] notifications wait for the store:', reason);
    }
    isFailing = true;
  }

  async function run(): Promise<void> {
    await hold();
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      await round();
      const waitMs = isFailing ? LONGEST_WAIT_MS : (performance.now() - startedAt) / SHARE;
      await wait(Math.min(Math.max(waitMs, ROUND_MS), LONGEST_WAIT_MS));
    }
  }

  const wait = (ms: number) => sleep(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
  const prune = () => {
    if (isHeld) alerts.prune(new Date(Date.now() - KEPT_MS).toISOString()).catch(report);
  };
  const ended = run();
  const timers = [setInterval(hold, HOLD_MS).unref(), setInterval(prune, PRUNE_MS).unref()];
  return {
    async sensors() {
      if (evaluator && isCurrent) return evaluator.sensors;
      const { cursor, sensors } = await alerts.load(options.mostSensors);
      if (cursor === null) throw notJudgedYet();
      return sensors.filter(({ sensor }) => !options.ownRules?.isFormerName(sensor));
    },
    lastTransition: (sensor) => alerts.lastTransition(sensor),
    silentFrom: (watched) => evaluator?.silences.silentFrom(watched) ?? null,
    nextAttempts: delivery.nextAttempts,
    rulesOf: (sensor) => options.ownRules?.of(sensor) ?? options.rules,
    reload: abandon,
    async stop() {
      stopping.abort();
      for (const timer of timers) clearInterval(timer);
      await Promise.all([ended, delivery.stop()]);
      await evaluator?.close().catch(report);
      await alerts.close().catch(report);
    },
  };
}
