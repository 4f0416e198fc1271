import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_RULES } from '../config/alert-settings.server';
import { getEnv } from '../config/env.server';
import { singleton } from '../config/singleton.server';
import type { AirAnswer } from '../readings/air/air-report';
import {
  type AirRules,
  type AirState,
  type SensorAir,
  stateOf,
  type Transition,
} from '../readings/air/air-state';
import { judgeReadings, judgeSilence } from '../readings/air/judge-reading';
import { CLOCK_TOLERANCE_MS, silentAfter } from '../readings/now/stale';
import type { Reading } from '../readings/reading';
import { groupBySensor } from '../readings/sensor';
import type { AlertStore, EvaluatorStore, WatchedSensor } from '../store/alert-store';
import type { ReadingStore } from '../store/reading-store';
import { describeEvent } from './describe-event';
import { Evaluator } from './evaluator.server';
import { decidedState, knownAtFirst, noticeOf } from './notify-rules';
import { mostJudged, runningAlerts } from './start-alerts.server';

/** Returns the configured rules, or the defaults. */
export function airRules() {
  const { alerts, thresholds } = getEnv();
  const { afterMs, silentAfterMs, on } = alerts ?? DEFAULT_RULES;
  return { thresholds, afterMs, silentAfterMs, on };
}

type Rules = ReturnType<typeof airRules>;

interface Judged {
  sensors: readonly WatchedSensor[];
  alerts: Pick<AlertStore, 'lastTransition'>;
}

/**
 * Returns the state of all sensors. If `NOTIFY_URLS` is set, it comes from the running notifications, otherwise from an
 * evaluator in memory that runs only while clients ask.
 */
export async function judgedNow(store: ReadingStore): Promise<Judged> {
  if (getEnv().alerts && store.alerts) {
    const sensors = runningAlerts()?.sensors() ?? (await store.alerts.load(mostJudged())).sensors;
    return { sensors, alerts: store.alerts };
  }
  return singleton('air-in-memory', () => new AirInMemory(store, airRules())).judge();
}

/** Returns the sensors whose names follow `after` and whose air isn't good, ordered by name. */
export function notGood({ sensors }: Judged, rules: Rules, now: number, after?: string): AirAnswer[] {
  return sensors
    .filter(({ sensor }) => after === undefined || sensor > after)
    .flatMap((watched): AirAnswer[] => {
      const state = wasSilentAtFirst(watched) ? 'good' : decidedState(watched.air, rules, now);
      return state === 'good' ? [] : [{ sensor: watched.sensor, state }];
    })
    .sort((a, b) => (a.sensor < b.sensor ? -1 : 1));
}

/**
 * True for a sensor that was already silent when first seen, as after an import. Neither that silence nor its end is
 * notified.
 */
function wasSilentAtFirst({ air, notified, notifiedAt }: WatchedSensor): boolean {
  return air.silentSince !== null && notified === 'silent' && notifiedAt === null;
}

/**
 * Returns a sensor's state, and the notification to show to someone who last saw the state `before`. Returns null for
 * an unknown sensor.
 */
export async function notificationOf(
  { sensors, alerts }: Judged,
  { sensor, before, zone }: { sensor: string; before: AirState; zone: string },
  rules: Rules,
  now: number,
): Promise<AirAnswer | null> {
  const known = sensors.find((one) => one.sensor === sensor);
  if (!known) return null;
  const watched = { ...known, notified: before, notifiedAt: known.air.oldest };
  const kind = noticeOf(watched, { ...rules, againMs: null }, now)?.kind;
  const state = decidedState(known.air, rules, now);
  if (!kind) return { sensor, state, notification: null };
  const last = await alerts.lastTransition(sensor);
  const transition = last?.to === stateOf(known.air) ? last : null;
  const occasion = { kind, watched, transition, isOnly: sensors.length === 1, now };
  const { title, text } = describeEvent(occasion, { ...rules, timeZone: zone, publicUrl: null });
  return { sensor, state, notification: { title, text } };
}

/** If `SILENT_AFTER` isn't set, the first round learns each sensor's usual interval from readings up to this age. */
const LEARNT_FROM_MS = 4 * 3_600_000;

/**
 * The interval between background rounds. After a minute without a round, `SilenceWatch` would give every sensor extra
 * time to send.
 */
const ROUND_MS = 15_000;

/** Judging stops after this time without a request. A hidden page sends one a minute. */
const UNUSED_MS = 5 * 60_000;

/** A response waits at most this long for a round; judging an import takes minutes. */
const LONGEST_WAIT_MS = 1000;

const READINGS_PER_TURN = 250;

export class AirInMemory {
  #evaluator: Evaluator | null = null;
  #alerts: EvaluatorStore | null = null;
  #round: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #askedAt = 0;

  constructor(
    private readonly readings: ReadingStore,
    private readonly rules: Rules,
    private readonly now: () => number = Date.now,
  ) {}

  async judge(): Promise<Judged> {
    this.#askedAt = this.now();
    this.#timer ??= setInterval(() => this.#goOn(), ROUND_MS).unref();
    const round = this.#nextRound();
    if (this.#evaluator) await Promise.race([round, sleep(LONGEST_WAIT_MS, undefined, { ref: false })]);
    else await round;
    const { alerts, sensors } = this.#opened();
    return { alerts, sensors };
  }

  #opened() {
    if (!this.#evaluator || !this.#alerts) throw new Error('There is no evaluator: its last round failed');
    return { alerts: this.#alerts, sensors: this.#evaluator.sensors };
  }

  #nextRound(): Promise<void> {
    this.#round ??= this.#judgeNew().finally(() => {
      this.#round = null;
    });
    // Prevents an unhandled rejection if nothing awaits this round.
    this.#round.catch(() => {});
    return this.#round;
  }

  async #judgeNew(): Promise<void> {
    try {
      this.#evaluator ??= await this.#open();
      if (this.#evaluator.isDue()) await this.#evaluator.round();
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  async #open(): Promise<Evaluator> {
    const { readings, rules, now } = this;
    const alerts = alertsInMemory(() => judgeLatest(readings, rules, now()), now());
    this.#alerts = alerts;
    const words = { againMs: null, quiet: null, timeZone: 'UTC', publicUrl: null };
    const mostSensors = mostJudged();
    return Evaluator.open({
      readings,
      alerts,
      addresses: [],
      rules: { ...rules, ...words },
      mostSensors,
      now,
    });
  }

  #goOn(): void {
    if (this.now() - this.#askedAt <= UNUSED_MS) return void this.#nextRound();
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    this.#end();
  }

  #end(): void {
    this.#evaluator?.abandon();
    this.#evaluator = null;
  }
}

function alertsInMemory(load: EvaluatorStore['load'], now: number): EvaluatorStore {
  const last = new Map<string, Transition>();
  // Starts as if this process had watched until now, so that no sensor gets extra time to send.
  let watched = { until: new Date(now).toISOString(), patienceMs: 0 };
  return {
    load,
    async commit({ transitions }) {
      for (const transition of transitions) last.set(transition.sensor, transition);
    },
    async watch(next) {
      const before = watched;
      watched = next;
      return before;
    },
    recentMessages: async () => [],
    lastTransition: async (sensor) => last.get(sensor) ?? null,
  };
}

/**
 * Judges the latest readings of all sensors. A sensor's first reading sets its level at once, because earlier readings
 * are unknown.
 */
async function judgeLatest(
  readings: Pick<ReadingStore, 'newest' | 'read' | 'clockLeadMs'>,
  rules: Rules,
  now: number,
) {
  const [newest] = await readings.newest(1, { after: 0 });
  const from = new Date(now - rules.afterMs - (rules.silentAfterMs ?? LEARNT_FROM_MS)).toISOString();
  const airs = new Map<string, SensorAir>();
  const most = mostJudged();
  // Readings after this time were stored while the server's clock was ahead. A store with its own clock needs no limit.
  const to = readings.clockLeadMs ? undefined : new Date(now + CLOCK_TOLERANCE_MS).toISOString();
  for await (const page of readings.read({ from, to })) {
    for (let i = 0; i < page.length; i += READINGS_PER_TURN) {
      for (const [sensor, own] of groupBySensor(page.slice(i, i + READINGS_PER_TURN))) {
        if (airs.size >= most && !airs.has(sensor)) continue;
        const air = judgeOwn(airs.get(sensor) ?? null, own, rules);
        if (air) airs.set(sensor, air);
      }
      await nextTurn();
    }
  }
  const notify = { ...rules, againMs: null };
  const sensors = [...airs].map(([sensor, air]): WatchedSensor => {
    const notified = knownAtFirst(air, notify, now);
    const isSilent = now - Date.parse(air.newest) > silentAfter(air, rules);
    return { sensor, air: isSilent ? judgeSilence(sensor, air, rules).air : air, notified, notifiedAt: null };
  });
  return { cursor: newest?.id ?? 0, sensors };
}

function judgeOwn(known: SensorAir | null, own: readonly Reading[], rules: AirRules): SensorAir | null {
  const first = known ?? judgeReadings(null, own.slice(0, 1), { ...rules, afterMs: 0 }).air;
  return judgeReadings(first, known ? own : own.slice(1), rules).air;
}
