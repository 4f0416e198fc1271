/**
 * Formulas of moist air. Temperatures are in °C, relative humidity in percent, vapour pressures in hPa. Their source, unless
 * another is named: WMO-No. 8, "Guide to Instruments and Methods of Observation", 2018, annex 4.B (the Magnus formula over water,
 * for −45 to 60 °C, at about 1000 hPa).
 */

export interface MoistAir {
  temperature: number;
  humidity: number;
}

/** The errors of a usual hygrometer (Sensirion SHT3x and Bosch BME280, data sheets): 3 % of humidity and 0.3 °C. */
const HUMIDITY_ERROR = 3;
const TEMPERATURE_ERROR = 0.3;

const [FACTOR, OFFSET, AT_ZERO] = [17.62, 243.12, 6.112];

const saturationPressure = (temperature: number) =>
  AT_ZERO * Math.exp((FACTOR * temperature) / (OFFSET + temperature));

const vapourPressure = ({ temperature, humidity }: MoistAir) =>
  (humidity / 100) * saturationPressure(temperature);

/** Returns the absolute humidity in g/m³, by the gas law with 461.5 J/(kg K) for water vapour. */
export function absoluteHumidity(air: MoistAir): number {
  return (216.7 * vapourPressure(air)) / (air.temperature + 273.15);
}

/** Returns the temperature at which this air is saturated; null for a humidity of 0. */
export function dewPoint(air: MoistAir): number | null {
  const pressure = vapourPressure(air);
  if (pressure <= 0) return null;
  const logarithm = Math.log(pressure / AT_ZERO);
  return (OFFSET * logarithm) / (FACTOR - logarithm);
}

/**
 * The temperature factor of the coldest inner surface, usually a corner, which DIN 4108-2:2013 requires of buildings as a minimum
 * against mould: (surface − outdoors)/(room − outdoors).
 */
const COLDEST_SURFACE = 0.7;

/** Returns the relative humidity of a room's air at its coldest wall, in percent. Over 100, water condenses there. */
export function humidityAtWall(room: MoistAir, outdoorTemperature: number): number {
  const wall = outdoorTemperature + COLDEST_SURFACE * (room.temperature - outdoorTemperature);
  return (100 * vapourPressure(room)) / saturationPressure(wall);
}

/** Returns the error of a quantity that is computed from the values of a hygrometer, from both of their errors. */
export function errorOf(quantity: (air: MoistAir) => number, air: MoistAir): number {
  const { temperature, humidity } = air;
  const value = quantity(air);
  return Math.hypot(
    quantity({ temperature, humidity: humidity + HUMIDITY_ERROR }) - value,
    quantity({ temperature: temperature + TEMPERATURE_ERROR, humidity }) - value,
  );
}
