/** An airing as `GET /api/airings` lists it. */
export interface AiringAnswer {
  /** ISO 8601 in UTC with `Z`. */
  from: string;
  /** Null while the airing lasts. */
  to: string | null;
  /** CO2 in PPM at the start, and at the end or now. Null if the airing was found in the humidity. */
  from_ppm: number | null;
  to_ppm: number | null;
  air_changes_per_hour: number | null;
  /** Absolute humidity in g/m³ at both times. Null if the airing was found in CO2. */
  from_g_m3: number | null;
  to_g_m3: number | null;
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

/** What a room's temperature and humidity say. */
export interface MoistureAnswer {
  /** The newest absolute humidity and its error, in g/m³. */
  absolute_humidity: number;
  absolute_humidity_error: number;
  /** In °C. */
  dew_point: number | null;
  outdoor_absolute_humidity: number | null;
  /** What airing does to the humidity; null if that is unknown, or the difference is within the error. */
  airing_will: 'dry' | 'moisten' | null;
  /** Null if the outdoor temperature isn't known, or fewer than 12 of the last 24 hours have values. */
  mould: MouldAnswer | null;
  /** The airing in progress, as the humidity shows it. Null where CO2 does. */
  airing: CurrentDryAiringAnswer | null;
}

/** The risk of mould at the coldest wall. */
export interface MouldAnswer {
  /** The relative humidity at that wall in the last hour, and its error, in percent. */
  wall_humidity: number;
  wall_humidity_error: number;
  /** The hours of the last day with 80 % or more there, and the hours with values. */
  hours: number;
  of_hours: number;
  /** `likely` if it is so in spite of the error for 6 hours or more, `possible` if within the error. */
  risk: 'none' | 'possible' | 'likely';
}

export interface CurrentDryAiringAnswer {
  since: string;
  /** Absolute humidity in g/m³ at the start and now. */
  from_g_m3: number;
  to_g_m3: number;
  /** True if the air gets no drier: the window can be closed. */
  is_enough: boolean;
}

/** The air outdoors, from the sensor that is there. */
export interface OutdoorsAnswer {
  sensor: string;
  /** The time of its last reading; null if it has none of the last week. */
  at: string | null;
  /** False if that is too old to describe the air now. The values are then null. */
  is_current: boolean;
  co2: number | null;
  pm25: number | null;
  temperature: number | null;
  humidity: number | null;
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
  /** Null without current values of temperature and humidity. */
  moisture: MoistureAnswer | null;
  /** Null if no sensor is outdoors. */
  outdoors: OutdoorsAnswer | null;
}
