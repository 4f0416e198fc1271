import type { AlertEvent } from '../providers/alert-event';
import type { RoomNoticeKind } from '../readings/air/air-report';
import { stateOf } from '../readings/air/air-state';
import { valuesIn } from '../readings/reading';
import type {
  CurrentAiring,
  CurrentDryAiringAnswer,
  VentilationAnswer,
} from '../readings/room/ventilation-answer';
import type { RecordedMessage, WatchedSensor } from '../store/alert-store';
import { clockTime, type EventRules, linkTo, titleAbout } from './describe-event';

export interface RoomRules {
  kinds: readonly RoomNoticeKind[];
  /** Returns the current findings about a sensor's room, or null. */
  roomNow(sensor: string): VentilationAnswer | null;
}

/** A notice about a room, and the parts of its id. A message with an id that was used before isn't sent. */
export interface RoomNotice {
  id: string[];
  event: Omit<AlertEvent, 'id'>;
}

/** Decides when to notify that a window can be closed or that a sensor can't be believed. Notifies once of each. */
export class RoomNotices {
  /**
   * For each sensor, the time of the last answer that said to close the window. An airing that began later is a new
   * one.
   */
  readonly #airedAt = new Map<string, string>();
  /** The last reason why each sensor can't be believed. */
  readonly #doubts = new Map<string, string>();

  /** @param sent the newest messages without a transition, of earlier processes too; newest first */
  constructor(
    private readonly rooms: RoomRules,
    private readonly rules: EventRules,
    sent: readonly Pick<RecordedMessage, 'event'>[],
  ) {
    for (const { event } of sent) {
      const { kind, sensor, at }: AlertEvent = JSON.parse(event);
      if (kind === 'aired' && !this.#airedAt.has(sensor)) this.#airedAt.set(sensor, at);
    }
  }

  /**
   * Returns the due notices. Call it outside quiet hours: a notice that no longer applies at their end is never sent.
   */
  due(watched: WatchedSensor, isOnly: boolean, now: number): RoomNotice[] {
    const { kinds, roomNow } = this.rooms;
    if (kinds.length === 0 || watched.air.silentSince !== null) return [];
    const room = roomNow(watched.sensor);
    if (!room) return [];
    const aired = kinds.includes('aired') ? this.#aired(watched, isOnly, room, now) : null;
    const doubted = kinds.includes('sensor') ? this.#doubted(watched, isOnly, room) : null;
    return [aired, doubted].filter((notice) => notice !== null);
  }

  #aired(
    watched: WatchedSensor,
    isOnly: boolean,
    { at, airing: inCo2, moisture }: VentilationAnswer,
    now: number,
  ): RoomNotice | null {
    const airing = inCo2 ?? moisture?.airing;
    if (!airing?.is_enough) return null;
    const { sensor } = watched;
    const before = this.#airedAt.get(sensor);
    this.#airedAt.set(sensor, at);
    // The estimated start of an airing may move by minutes while it lasts.
    if (before !== undefined && airing.since <= before) return null;
    const title = titleAbout(sensor, isOnly, 'close the window');
    const text = airedText(watched, airing, now, this.rules);
    return {
      id: ['aired', sensor, airing.since],
      event: this.#event(watched, { kind: 'aired', at, since: airing.since, title, text }),
    };
  }

  #doubted(
    watched: WatchedSensor,
    isOnly: boolean,
    { at, believable, reasons }: VentilationAnswer,
  ): RoomNotice | null {
    const { sensor } = watched;
    const reason = believable === false ? reasons.find((text) => text.startsWith(SENSOR)) : undefined;
    if (!reason) {
      if (believable) this.#doubts.delete(sensor);
      return null;
    }
    // The numbers in a reason change from day to day.
    const kind = reason.replace(/[\d,.−+-]+/g, '');
    if (this.#doubts.get(sensor) === kind) return null;
    this.#doubts.set(sensor, kind);
    const title = titleAbout(sensor, isOnly, "its CO2 can't be believed");
    const text = reason.charAt(SENSOR.length).toUpperCase() + reason.slice(SENSOR.length + 1);
    return {
      id: ['sensor', sensor, kind],
      event: this.#event(watched, { kind: 'sensor', at, since: at, title, text }),
    };
  }

  #event(
    { sensor, air }: WatchedSensor,
    words: Pick<AlertEvent, 'kind' | 'at' | 'since' | 'title' | 'text'>,
  ): Omit<AlertEvent, 'id'> {
    const state = stateOf(air);
    const url = linkTo(sensor, Date.parse(words.since), Date.parse(words.at), this.rules);
    return { sensor, state, before: state, ...valuesIn(air), ...words, url };
  }
}

const SENSOR = 'Sensor: ';

/** Returns text such as `CO2 fell from 1420 to 640 PPM since Fri 10:45. Enough: close the window.` */
function airedText(
  { air }: WatchedSensor,
  airing: CurrentAiring | CurrentDryAiringAnswer,
  now: number,
  rules: EventRules,
): string {
  const since = clockTime(airing.since, now, rules);
  const fell =
    'from_ppm' in airing
      ? `CO2 fell from ${airing.from_ppm} to ${Math.round(air.co2 ?? 0)} PPM since ${since}.`
      : `The air gets no drier: from ${airing.from_g_m3} to ${airing.to_g_m3} g/m³ of water since ${since}.`;
  return `${fell} Enough: close the window.`;
}
