/** An airing as `GET /api/airings` lists it. */
export interface AiringAnswer {
  /** ISO 8601 in UTC with `Z`. */
  from: string;
  /** Null while it goes on. */
  to: string | null;
  /** CO2 in PPM at its start, and at its end or now. */
  from_ppm: number;
  to_ppm: number;
  air_changes_per_hour: number;
}

/** Air changes an hour of the room with its windows closed. */
export interface AirChanges {
  median: number;
  lowest: number;
  highest: number;
  /** The number of decays that agree. */
  decays: number;
}

/** An airing that goes on. */
export interface CurrentAiring {
  since: string;
  from_ppm: number;
  /** Null if it can't be known, or nothing remains. */
  remaining_minutes: [number, number] | null;
  /** True if the target is reached or CO2 no longer falls: the window can be closed. */
  is_enough: boolean;
}

/** The answer of `GET /api/ventilation`. What isn't known is null, and `reasons` says why. */
export interface VentilationAnswer {
  /** `UNNAMED` for the unnamed sensor. */
  sensor: string;
  /** The time that the answer is about. It uses no later readings. */
  at: string;
  /** Null if there are too few readings to tell. */
  believable: boolean | null;
  /** Sentences for people. */
  reasons: string[];
  /** PPM to add to the sensor's CO2, so that its lowest values are those of outdoor air; null if there is no reason to. */
  offered_offset: number | null;
  air_changes: AirChanges | null;
  airing: CurrentAiring | null;
  usual_airing_minutes: [number, number] | null;
  forecast: { threshold: number; minutes: [number, number] } | null;
  /** The fraction of inhaled air that somebody has breathed out before. */
  rebreathed: number | null;
}
