import { type Adapter, membersOf, refuse } from './adapter';

/**
 * Sensor.Community's airRohr, "Send data to custom API". Each value is a text. Its only sensor of CO2 is the SCD30; it has none
 * of VOC, and no times. It takes any status from 200 to 208 for success, and sends a reading only once.
 *
 * Source: `sendDataToOptionalApis` and `fetchSensorSCD30` of airrohr-firmware.ino, NRZ-2024-135.
 */
export const airRohr: Adapter = {
  translate(sent) {
    const members = membersOf(sent);
    const { sensordatavalues } = members;
    if (!Array.isArray(sensordatavalues)) {
      return refuse(
        'sensordatavalues',
        'is missing: this address takes what airRohr sends to a "custom API"',
      );
    }
    const scd30 = sensordatavalues.map(membersOf).find(({ value_type }) => value_type === 'SCD30_co2_ppm');
    if (!scd30) {
      return refuse(
        'sensordatavalues',
        'has no SCD30_co2_ppm: airboard needs CO2, which airRohr measures with an SCD30',
      );
    }
    return { ok: true, value: { co2: scd30.value, voc: null, sensor: idOf(members) } };
  },
};

/** Returns the id of the board: `esp8266id`, or what versions for other boards call theirs, such as `esp32id`. */
function idOf(members: Record<string, unknown>): unknown {
  return members[Object.keys(members).find((name) => /^(esp|raspi|rp)[\w-]*id$/i.test(name)) ?? ''];
}
