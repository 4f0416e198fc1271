import { membersOf, refuse, type Translation } from './adapter';

/**
 * Translates `/measures/current` of an AirGradient monitor. A sensor that fails, or has just started, leaves out its
 * members. `tvocIndex` is an index without a unit, so there is no VOC.
 *
 * Source: docs/local-server.md and `Measurements::toString` of airgradienthq/arduino.
 *
 * @param sensor the sensor's name; by default the monitor's serial number
 */
export function translateAirGradient(sent: unknown, sensor?: string): Translation {
  const { rco2, serialno } = membersOf(sent);
  if (rco2 === undefined) return refuse('rco2', 'is missing: the monitor has no value of CO2');
  return { ok: true, value: { co2: rco2, voc: null, sensor: sensor ?? serialno } };
}
