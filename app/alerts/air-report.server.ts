import type { AlertSettings } from '../config/alert-settings.server';
import type { AirReport, SensorReport, TransitionReport } from '../readings/air/air-report';
import type { AirState } from '../readings/air/air-state';
import { pendingStates } from '../readings/air/pending-states';
import type { AlertStore, RecordedTransition, WatchedSensor } from '../store/alert-store';
import type { AlertAddress } from './alert-event';
import { watchedSensors } from './start-alerts.server';

/** How many of the newest transitions are reported. */
const NEWEST = 50;

const WORST_FIRST: AirState[] = ['poor', 'moderate', 'silent', 'good'];

/** Reports how every sensor stands and what was sent, without the secrets of addresses. */
export async function airReport(
  store: Pick<AlertStore, 'load' | 'recent'>,
  addresses: readonly AlertAddress[],
  { afterMs, silentAfterMs, on, quiet, timeZone, againMs }: AlertSettings,
): Promise<AirReport> {
  const stored = () => store.load().then(({ sensors }) => sensors);
  const [sensors, transitions] = await Promise.all([watchedSensors() ?? stored(), store.recent(NEWEST)]);
  const now = Date.now();
  const labels = new Map(addresses.map(({ key, label }) => [key, label]));
  const settings = { afterMs, silentAfterMs, on, quiet, timeZone, againMs };
  return {
    now: new Date(now).toISOString(),
    settings,
    sensors: sensors.map((watched) => reportSensor(watched, settings, now)).sort(compareSensors),
    addresses: addresses.map(({ label }) => label),
    transitions: transitions.map((transition) => reportTransition(transition, labels)),
  };
}

function reportSensor(
  { sensor, air }: WatchedSensor,
  rules: Pick<AlertSettings, 'afterMs' | 'silentAfterMs'>,
  now: number,
): SensorReport {
  const { level, silentSince, levelSince, newest, co2, voc } = air;
  return {
    sensor,
    state: silentSince === null ? level : 'silent',
    since: silentSince ?? levelSince,
    pending: pendingStates(air, rules, now),
    newest,
    co2,
    voc,
  };
}

function compareSensors(a: SensorReport, b: SensorReport): number {
  const byState = WORST_FIRST.indexOf(a.state) - WORST_FIRST.indexOf(b.state);
  return byState || (a.sensor < b.sensor ? -1 : 1);
}

function reportTransition(
  { sensor, at, from, to, since, co2, voc, isWithdrawn, deliveries }: RecordedTransition,
  labels: ReadonlyMap<string, string>,
): TransitionReport {
  return {
    sensor,
    at,
    from,
    to,
    since,
    co2,
    voc,
    isWithdrawn,
    deliveries: deliveries.map(({ address, state, attempts }) => ({
      address: labels.get(address) ?? null,
      state,
      attempts: attempts.map(({ at, outcome, answer }) => ({ at, outcome, answer })),
    })),
  };
}
