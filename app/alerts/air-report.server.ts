import type { AlertSettings } from '../config/alert-settings.server';
import type { AlertAddress, AlertEvent } from '../providers/alert-event';
import type {
  AddressReport,
  AirReport,
  DeliveryReport,
  MessageReport,
  PendingState,
  SensorReport,
} from '../readings/air/air-report';
import { type AirRules, type SensorAir, stateOf, WORST_FIRST } from '../readings/air/air-state';
import { SENSORS_IN_PAGE } from '../readings/known-sensors';
import { LEVELS } from '../readings/level/level';
import { silentAfter } from '../readings/now/stale';
import { valuesIn } from '../readings/reading';
import type {
  AlertStore,
  RecordedDelivery,
  RecordedMessage,
  RecordedTransition,
  WatchedSensor,
} from '../store/alert-store';
import { whyNotNotified } from './notify-rules';
import { mostJudged, runningAlerts } from './start-alerts.server';

/** The most transitions in a report, and the most messages without a transition. */
const NEWEST = 50;

/** Selects the sensors of a report: the first `limit` by name, after the name `after`. */
interface SensorPage {
  limit?: number;
  after?: string;
}

/** Reports the state of every sensor and the sent messages. Addresses are shown without their secrets. */
export async function airReport(
  store: Pick<AlertStore, 'load' | 'recent' | 'recentMessages'>,
  addresses: readonly AlertAddress[],
  { afterMs, silentAfterMs, on, aboutRooms, quiet, timeZone, againMs }: AlertSettings,
  page: SensorPage = {},
): Promise<AirReport> {
  const stored = () => store.load(mostJudged()).then(({ sensors }) => sensors);
  const [sensors, transitions, messages] = await Promise.all([
    runningAlerts()?.sensors() ?? stored(),
    store.recent(NEWEST),
    store.recentMessages(NEWEST),
  ]);
  const now = Date.now();
  const waiting = runningAlerts()?.nextAttempts();
  const deliveries = [...transitions, ...messages].flatMap(({ deliveries }) => deliveries);
  const newest = sensorOfNewest(transitions, sensors);
  const settings = { afterMs, silentAfterMs, on, quiet, timeZone, againMs };
  return {
    now: new Date(now).toISOString(),
    settings: { ...settings, on: [...on, ...aboutRooms] },
    sensors: pageOf(sensors, page)
      .map((watched) => {
        const own = runningAlerts()?.rulesOf(watched.sensor).silentAfterMs;
        return reportSensor(watched, { ...settings, ...(own !== undefined && { silentAfterMs: own }) }, now);
      })
      .sort(compareSensors),
    sensorCount: sensors.length,
    addresses: addresses.map((address) => reportAddress(address, deliveries, waiting?.get(address.key))),
    transitions: transitions.map((transition) => ({
      ...transition,
      untold:
        transition.deliveries.length > 0
          ? null
          : whyNotNotified(transition, newest(transition), settings, now),
      deliveries: reportDeliveries(transition.deliveries, addresses),
    })),
    messages: messages.map((message) => reportMessage(message, addresses)),
  };
}

function pageOf(
  sensors: readonly WatchedSensor[],
  { limit = SENSORS_IN_PAGE, after }: SensorPage,
): WatchedSensor[] {
  return sensors
    .filter(({ sensor }) => after === undefined || sensor > after)
    .sort((a, b) => (a.sensor < b.sensor ? -1 : 1))
    .slice(0, limit);
}

function reportSensor(
  watched: WatchedSensor,
  rules: Pick<AlertSettings, 'afterMs' | 'silentAfterMs'>,
  now: number,
): SensorReport {
  const { sensor, air } = watched;
  const { silentSince, levelSince, newest, lost } = air;
  return {
    sensor,
    state: stateOf(air),
    since: silentSince === null ? levelSince : (lost?.at ?? newest),
    pending: pendingStates(air, rules, now, runningAlerts()?.silentFrom(watched)),
    newest,
    ...valuesIn(air),
  };
}

/**
 * A pending silence is reported after this share of the time until silence. Otherwise it would appear between ordinary
 * readings.
 */
const SILENCE_SHARE = 1 / 3;

/**
 * Returns the states that a sensor will enter if its readings stay as they are, soonest first. A level changes by the
 * readings' own times; a silence begins by the server's clock.
 */
export function pendingStates(
  air: SensorAir,
  rules: Pick<AirRules, 'afterMs' | 'silentAfterMs'>,
  now: number,
  silentFrom: number | null = null,
): PendingState[] {
  if (air.silentSince !== null) return [];
  const { afterMs } = rules;
  const silentAfterMs = silentAfter(air, rules);
  const level = LEVELS.indexOf(air.level);
  const [good, moderate] = air.pending;
  // If both thresholds were crossed at once, the sensor skips moderate.
  const crossings = [
    { to: level === 0 ? 'moderate' : 'good', since: level === 0 && good === moderate ? null : good },
    { to: level === 2 ? 'moderate' : 'poor', since: level === 2 && good === moderate ? null : moderate },
  ] as const;
  const pending: PendingState[] = crossings.flatMap(({ to, since }) =>
    since === null ? [] : { to, since, at: later(since, afterMs) },
  );
  const silentAt =
    silentFrom === null ? later(air.newest, silentAfterMs) : new Date(silentFrom).toISOString();
  const silence = { to: 'silent' as const, since: air.newest, at: silentAt };
  if (now - Date.parse(air.newest) > silentAfterMs * SILENCE_SHARE) pending.push(silence);
  return pending.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function later(time: string, ms: number): string {
  return new Date(Date.parse(time) + ms).toISOString();
}

function compareSensors(a: SensorReport, b: SensorReport): number {
  const byState = WORST_FIRST.indexOf(a.state) - WORST_FIRST.indexOf(b.state);
  return byState || (a.sensor < b.sensor ? -1 : 1);
}

/** Returns a function that finds a transition's sensor; null if the sensor has a newer transition. */
function sensorOfNewest(transitions: readonly RecordedTransition[], sensors: readonly WatchedSensor[]) {
  const newest = new Map(transitions.toReversed().map((transition) => [transition.sensor, transition]));
  const watched = new Map(sensors.filter((one) => newest.has(one.sensor)).map((one) => [one.sensor, one]));
  return (transition: RecordedTransition): WatchedSensor | null =>
    newest.get(transition.sensor) === transition ? (watched.get(transition.sensor) ?? null) : null;
}

function reportMessage(
  { id, createdAt, event, deliveries }: RecordedMessage,
  addresses: readonly AlertAddress[],
): MessageReport {
  const parsed: AlertEvent & Pick<MessageReport, 'kind'> = JSON.parse(event);
  const { title, kind, sensor, state } = parsed;
  return {
    id,
    title,
    at: createdAt,
    kind,
    sensor,
    state,
    ...valuesIn(parsed),
    deliveries: reportDeliveries(deliveries, addresses),
  };
}

/** Sorts deliveries in the order of the addresses. Deliveries to addresses that are no longer configured come last. */
function reportDeliveries(
  deliveries: readonly RecordedDelivery[],
  addresses: readonly AlertAddress[],
): DeliveryReport[] {
  const indexOf = (key: string) => addresses.findIndex((address) => address.key === key);
  const rankOf = ({ address }: RecordedDelivery) => indexOf(address) + 1 || addresses.length + 1;
  return deliveries
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .map(({ messageId, address, state, attempts }) => ({
      id: messageId,
      address: addresses[indexOf(address)]?.label ?? null,
      state,
      attempts: attempts.map(({ at, outcome, answer }) => ({ at, outcome, answer })),
    }));
}

function reportAddress(
  { key, label }: AlertAddress,
  deliveries: readonly RecordedDelivery[],
  nextAttempt: string | undefined,
): AddressReport {
  const attempts = deliveries
    .filter(({ address }) => address === key)
    .flatMap(({ attempts }) => attempts)
    .sort((a, b) => (a.at < b.at ? -1 : 1));
  const lastDelivered = attempts.findLastIndex(({ outcome }) => outcome === 'delivered');
  const last = attempts.at(-1);
  return {
    address: label,
    last: last ? { at: last.at, outcome: last.outcome, answer: last.answer } : null,
    failingSince: attempts[lastDelivered + 1]?.at ?? null,
    nextAttempt: nextAttempt ?? null,
  };
}
