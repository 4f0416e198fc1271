import type { AlertSettings } from '../config/alert-settings.server';
import type {
  AirReport,
  DeliveryReport,
  MessageReport,
  SensorReport,
  TransitionReport,
} from '../readings/air/air-report';
import { type AirState, stateOf } from '../readings/air/air-state';
import { pendingStates } from '../readings/air/pending-states';
import { MAX_SENSORS } from '../readings/heard-sensors';
import type {
  AlertStore,
  RecordedDelivery,
  RecordedMessage,
  RecordedTransition,
  WatchedSensor,
} from '../store/alert-store';
import type { AlertAddress, AlertEvent } from './alert-event';
import { watchedSensors } from './start-alerts.server';

/** How many of the newest transitions are reported, and of the newest other messages. */
const NEWEST = 50;

const WORST_FIRST: AirState[] = ['poor', 'moderate', 'silent', 'good'];

/** Reports how every sensor stands and what was sent, without the secrets of addresses. */
export async function airReport(
  store: Pick<AlertStore, 'load' | 'recent' | 'recentMessages'>,
  addresses: readonly AlertAddress[],
  { afterMs, silentAfterMs, on, quiet, timeZone, againMs }: AlertSettings,
): Promise<AirReport> {
  const stored = () => store.load().then(({ sensors }) => sensors);
  const [sensors, transitions, messages] = await Promise.all([
    watchedSensors() ?? stored(),
    store.recent(NEWEST),
    store.recentMessages(NEWEST),
  ]);
  const now = Date.now();
  const labels = new Map(addresses.map(({ key, label }) => [key, label]));
  const settings = { afterMs, silentAfterMs, on, quiet, timeZone, againMs };
  return {
    now: new Date(now).toISOString(),
    settings,
    sensors: worstOf(sensors)
      .map((watched) => reportSensor(watched, settings, now))
      .sort(compareSensors),
    sensorCount: sensors.length,
    addresses: addresses.map(({ label }) => label),
    transitions: transitions.map((transition) => reportTransition(transition, labels)),
    messages: messages.map((message) => reportMessage(message, labels)),
  };
}

/** Returns `MAX_SENSORS` of the worst air. Anybody may make sensors, so they aren't all sorted in one turn. */
function worstOf(sensors: readonly WatchedSensor[]): WatchedSensor[] {
  return WORST_FIRST.flatMap((state) => sensors.filter(({ air }) => stateOf(air) === state)).slice(
    0,
    MAX_SENSORS,
  );
}

function reportSensor(
  { sensor, air }: WatchedSensor,
  rules: Pick<AlertSettings, 'afterMs' | 'silentAfterMs'>,
  now: number,
): SensorReport {
  const { silentSince, levelSince, newest, co2, voc } = air;
  return {
    sensor,
    state: stateOf(air),
    since: silentSince === null ? levelSince : newest,
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
  { deliveries, ...transition }: RecordedTransition,
  labels: ReadonlyMap<string, string>,
): TransitionReport {
  return { ...transition, deliveries: reportDeliveries(deliveries, labels) };
}

function reportMessage(
  { createdAt, event, deliveries }: RecordedMessage,
  labels: ReadonlyMap<string, string>,
): MessageReport {
  const { kind, sensor, state, co2, voc } = JSON.parse(event) as AlertEvent & Pick<MessageReport, 'kind'>;
  return { at: createdAt, kind, sensor, state, co2, voc, deliveries: reportDeliveries(deliveries, labels) };
}

function reportDeliveries(
  deliveries: readonly RecordedDelivery[],
  labels: ReadonlyMap<string, string>,
): DeliveryReport[] {
  return deliveries.map(({ address, state, attempts }) => ({
    address: labels.get(address) ?? null,
    state,
    attempts: attempts.map(({ at, outcome, answer }) => ({ at, outcome, answer })),
  }));
}
