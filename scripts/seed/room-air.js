/**
 * Simulates a sensor in a living room: a mass balance of one room with people depending on the hour, windows that are opened in
 * stuffy air, cooking, and noise.
 */
import { seededRandom } from './seeded-random.js';

const HOUR_MS = 3_600_000;
/** The interval at which people come or go. */
const VISIT_MS = HOUR_MS / 3;

const OUTDOOR_CO2 = 420;
const OUTDOOR_VOC = 60;
/** The PPM and PPB that one person at rest adds to a room of 60 m³ per hour. */
const CO2_PER_PERSON = 300;
const VOC_PER_PERSON = 45;
/** Sources other than people, in PPB per hour. */
const COOKING_VOC = 900;
const FURNITURE_VOC = 8;
/** Air changes per hour, with closed and with open windows. */
const CLOSED_AIR_CHANGES = 0.5;
const OPEN_AIR_CHANGES = 6;
/** Above this CO2 value, people notice stuffy air 0.8 times per hour on average. */
const STUFFY_CO2 = 1200;
const NOTICES_PER_HOUR = 0.8;

/** The usual number of people in each hour of the day, and the hours in which they cook. */
const USUAL_PEOPLE = [
  2, 2, 2, 2, 2, 2, 2.2, 2, 1, 0.5, 0.4, 0.4, 0.8, 0.6, 0.4, 0.6, 1, 2, 3, 3.2, 3.5, 3.2, 2.5, 2,
];
const COOKING_HOURS = new Set([7, 12, 18, 19]);

/**
 * @param {number} seed the same seed gives the same air
 * @param {number} stepMs the time between readings
 * @returns {(localMs: number) => { co2: number, voc: number, isCooking: boolean, isAiring: boolean }} a function that returns the next
 *   reading, at a local time, and what the people do
 */
export function createRoomAir(seed, stepMs) {
  const random = seededRandom(seed);
  const hours = stepMs / HOUR_MS;
  let co2 = 700;
  let voc = 150;
  let visit = -1;
  let people = 0;
  let cookingUntil = 0;
  let windowOpenUntil = 0;

  /** @param {number} localMs */
  function updatePeople(localMs) {
    const hour = Math.floor(localMs / HOUR_MS) % 24;
    // Sometimes a guest comes, or everybody leaves.
    people = Math.max(0, Math.round((USUAL_PEOPLE[hour] ?? 0) + (random() + random() - 1) * 1.6));
    const cooks = people > 0 && COOKING_HOURS.has(hour) && random() < 0.3;
    if (cooks) cookingUntil = localMs + (0.2 + random() * 0.5) * HOUR_MS;
  }

  return (localMs) => {
    if (Math.floor(localMs / VISIT_MS) !== visit) {
      visit = Math.floor(localMs / VISIT_MS);
      updatePeople(localMs);
    }
    const isCooking = localMs < cookingUntil;
    const isNoticed = people > 0 && co2 > STUFFY_CO2 && random() < NOTICES_PER_HOUR * hours;
    if (isNoticed || (isCooking && random() < hours))
      windowOpenUntil = localMs + (5 + random() * 15) * 60_000;
    const isAiring = localMs < windowOpenUntil;
    const exchanged = (isAiring ? OPEN_AIR_CHANGES : CLOSED_AIR_CHANGES) * hours;
    co2 += people * CO2_PER_PERSON * hours - (co2 - OUTDOOR_CO2) * exchanged;
    voc +=
      (people * VOC_PER_PERSON + (isCooking ? COOKING_VOC : FURNITURE_VOC)) * hours -
      (voc - OUTDOOR_VOC) * exchanged;
    return {
      co2: Math.round(co2 + (random() + random() - 1) * 12),
      voc: Math.round(voc + (random() + random() - 1) * 6),
      isCooking,
      isAiring,
    };
  };
}
