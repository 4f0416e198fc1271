/** An airing as `GET /api/airings` lists it. */
export interface AiringAnswer {
  /** ISO 8601 in UTC with `Z`. */
  from: string;
  /** Null while the airing lasts. */
  to: string | null;
  /** CO2 in PPM at the start, and at the end or now. */
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

/** The airing in progress. */
export interface CurrentAiring {
  since: string;
  from_ppm: number;
  /** Null if unknown, or if no time remains. */
  remaining_minutes: [number, number] | null;
  /** The CO2 at which the fall ends, if people add so much that the target isn't reached; null if that isn't known. */
  ends_at_ppm: number | null;
  /** True if the air is good and the target reached, or falls no further: the window can be closed. */
  is_enough: boolean;
}

/** The answer of `GET /api/ventilation`. Unknown values are null, and `reasons` explains them. */
export interface VentilationAnswer {
  /** `UNNAMED` for the unnamed sensor. */
  sensor: string;
  /** The time of the answer. Later readings don't affect it. */
  at: string;
  /** Null if there are too few readings to tell. */
  believable: boolean | null;
  /** Sentences for people. */
  reasons: string[];
  /** PPM to add to the sensor's CO2, so that its lowest values match outdoor air; null if no offset is needed. */
  offered_offset: number | null;
  air_changes: AirChanges | null;
  airing: CurrentAiring | null;
  usual_airing_minutes: [number, number] | null;
  forecast: { threshold: number; minutes: [number, number] } | null;
  /** The fraction of inhaled air that somebody has breathed out before. */
  rebreathed: number | null;
}
