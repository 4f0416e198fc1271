import type { AlertEvent } from '../../alerts/alert-event';
import { describeEvent } from '../../alerts/describe-event';
import { notableState, noticeOf } from '../../alerts/notify-rules';
import type { AirState, SensorAir } from '../../readings/air/air-state';
import { judgeReading, judgeReadings, judgeSilence } from '../../readings/air/judge-reading';
import type { PageRules } from '../../readings/air/page-rules';
import { silentAfter } from '../../readings/now/stale';
import { compareReadings, compareTimes, type Reading } from '../../readings/reading';
import { groupBySensor } from '../../readings/sensor';

/** A sensor with what this browser has told of it. */
interface Watched {
  sensor: string;
  air: SensorAir;
  told: AirState;
  toldAt: string | null;
}

/** What was told of each sensor, and when: null if it was so when the browser began to watch. */
export type Told = Record<string, Pick<Watched, 'told' | 'toldAt'>>;

/** An event without what only messages of the server have. */
export type BrowserEvent = Omit<AlertEvent, 'id'>;

/** Watches the air of all sensors by the rules of the server's notifications. */
export function watchAir(rules: PageRules, timeZone: string) {
  const sensors = new Map<string, Watched>();
  const tellingRules = { on: rules.on, silentAfterMs: rules.silentAfterMs, againMs: null };
  const words = { ...rules, timeZone, publicUrl: null };

  /** Judges readings of a sensor, oldest first, and its silence. Those that come late aren't judged. */
  function judge(sensor: string, before: SensorAir | null, readings: readonly Reading[], now: number) {
    const newer = readings.filter(({ created_at }) => !before || compareTimes(created_at, before.newest) > 0);
    const judged = judgeReadings(before, newer, rules);
    const { air, transitions } = judged;
    if (!air || air.silentSince !== null || now - Date.parse(air.newest) <= silentAfter(air, rules))
      return judged;
    const silence = judgeSilence(sensor, air, rules);
    return { air: silence.air, transitions: [...transitions, ...silence.transitions] };
  }

  return {
    /**
     * Begins with the newest readings of each sensor, and tells nothing: the air was so before.
     *
     * @param told what another tab has told until now, if one has
     * @param now the server's clock in milliseconds
     */
    begin(readings: readonly Reading[], told: Told, now: number): void {
      for (const [sensor, own] of bySensor(readings)) {
        const [first, ...rest] = own;
        if (!first) continue;
        // How long the first reading's level had been there isn't known: it counts as there.
        const { air: firstAir } = judgeReading(null, first, { ...rules, afterMs: 0 });
        const { air } = judge(sensor, firstAir, rest, now);
        if (!air) continue;
        const toldNow =
          sensors.get(sensor) ??
          (Object.hasOwn(told, sensor) ? told[sensor] : null) ??
          atFirst(air, rules.on, now);
        sensors.set(sensor, { sensor, air, told: toldNow.told, toldAt: toldNow.toldAt });
      }
    },

    /** Judges what has arrived since, and returns what is to be told. */
    take(readings: readonly Reading[], now: number): BrowserEvent[] {
      const arrived = bySensor(readings);
      for (const sensor of sensors.keys()) if (!arrived.has(sensor)) arrived.set(sensor, []);
      const events: BrowserEvent[] = [];
      for (const [sensor, own] of arrived) {
        const known = sensors.get(sensor);
        const { air, transitions } = judge(sensor, known?.air ?? null, own, now);
        if (!air) continue;
        const watched = { sensor, told: 'good' as AirState, toldAt: null, ...known, air };
        const telling = noticeOf(watched, tellingRules, now);
        sensors.set(sensor, telling ? { ...watched, told: telling.told, toldAt: telling.toldAt } : watched);
        if (!telling?.kind) continue;
        const transition = transitions.at(-1) ?? null;
        const isOnly = sensors.size === 1;
        events.push(describeEvent({ kind: telling.kind, watched, transition, isOnly, now }, words));
      }
      return events;
    },

    told(): Told {
      return Object.fromEntries([...sensors].map(([sensor, { told, toldAt }]) => [sensor, { told, toldAt }]));
    },
  };
}

/** A silence that was there at first isn't told, and neither is its end. */
function atFirst(air: SensorAir, on: readonly AirState[], now: number): Pick<Watched, 'told' | 'toldAt'> {
  const told = notableState(air, on);
  return { told, toldAt: told === 'silent' ? null : new Date(now).toISOString() };
}

/** Returns the readings of each sensor, oldest first. */
function bySensor(readings: readonly Reading[]): Map<string, Reading[]> {
  return groupBySensor([...readings].sort(compareReadings));
}
