import type {
  AiringAnswer,
  CurrentAiring,
  VentilationAnswer,
} from '../../../app/readings/room/ventilation-answer';

/** Returns an answer of `/api/ventilation`. Nothing is known except `known`. */
export function ventilation(known: Partial<VentilationAnswer> = {}): VentilationAnswer {
  return {
    sensor: '',
    at: '2026-01-02T10:00:00.000Z',
    believable: null,
    reasons: [],
    offered_offset: null,
    air_changes: null,
    airing: null,
    usual_airing_minutes: null,
    forecast: null,
    rebreathed: null,
    moisture: null,
    outdoors: null,
    ...known,
  };
}

/** Returns an airing that has not ended. */
export function currentAiring(known: Partial<CurrentAiring> = {}): CurrentAiring {
  return {
    since: '2026-01-02T09:55:00.000Z',
    from_ppm: 1420,
    remaining_minutes: [3, 5],
    ends_at_ppm: null,
    is_enough: false,
    ...known,
  };
}

/** Returns an airing from a local time such as `2026-11-21T10:45`. `minutes` is null if it has not ended. */
export function airingAt(
  time: string,
  minutes: number | null,
  known: Partial<AiringAnswer> = {},
): AiringAnswer {
  const from = new Date(time);
  return {
    from: from.toISOString(),
    to: minutes === null ? null : new Date(from.getTime() + minutes * 60_000).toISOString(),
    from_ppm: 1420,
    to_ppm: 1050,
    air_changes_per_hour: 7.4,
    ...{ from_g_m3: null, to_g_m3: null },
    ...known,
  };
}
