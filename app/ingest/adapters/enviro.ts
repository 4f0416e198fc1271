import { type Adapter, membersOf, refuse } from './adapter';

/** The names that additions to the firmware for an SCD30 or SCD41 give to CO2 in PPM. */
const CO2 = ['co2', 'scd_co2', 'scd41_co2'];
/** Names for VOC in PPB. Enviro's own `aqi` and `gas_resistance` are in no such unit. */
const VOC = ['voc', 'tvoc'];

/**
 * Pimoroni Enviro, "custom HTTP endpoint". It keeps readings with their times, takes 200, 201 and 202 for success, and sends
 * the others again, the oldest first: one that is refused would hold up all that follow.
 *
 * Source: `cache_upload` and `upload_readings` of enviro/__init__.py, enviro/destinations/http.py, April 2024.
 */
export const enviro: Adapter = {
  translate(sent) {
    const { nickname, uid, timestamp, readings } = membersOf(sent);
    const values = membersOf(readings);
    const firstOf = (names: string[]) =>
      names
        .map((name) => (Object.hasOwn(values, name) ? values[name] : null))
        .find((value) => value !== null) ?? null;
    const [co2, voc] = [firstOf(CO2), firstOf(VOC)];
    if (co2 === null && voc === null) {
      return refuse('readings', `has neither CO2 (${CO2.join(', ')}) nor VOC (${VOC.join(', ')})`);
    }
    return { ok: true, value: { co2, voc, created_at: timestamp, sensor: nickname || uid } };
  },
  repeatsRefused: true,
};
