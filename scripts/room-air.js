/**
 * The air of a flat's living room as a sensor would tell of it: people by the hour, each breathing out,
 * windows opened when it gets stuffy, cooking, and noise. A mass balance of one room, one step a reading.
 */

import { seededRandom } from './seeded-random.js';

const HOUR_MS = 3_600_000;
/** People come and go at most this often. */
const VISIT_MS = HOUR_MS / 3;

const OUTDOOR_CO2 = 420;
const OUTDOOR_VOC = 60;
/** What one person at rest adds to a room of 60 m³ in an hour, in PPM and PPB. */
const CO2_PER_PERSON = 300;
const VOC_PER_PERSON = 45;
/** How often an hour the air of the room is exchanged. */
const CLOSED = 0.5;
const AIRING = 6;
/** A person notices stuffy air from here on, and then not at once. */
const STUFFY_CO2 = 1200;
const NOTICE_PER_HOUR = 0.8;

/** How many people are usually there in each hour of a day, and at which hours they cook. */
const PEOPLE = [
  2, 2, 2, 2, 2, 2, 2.2, 2, 1, 0.5, 0.4, 0.4, 0.8, 0.6, 0.4, 0.6, 1, 2, 3, 3.2, 3.5, 3.2, 2.5, 2,
];
const COOKING = new Set([7, 12, 18, 19]);
const COOKING_VOC_PER_HOUR = 900;

/**
 * @param {number} seed the same seed makes the same air
 * @param {number} stepMs time between readings
 * @returns {(timeMs: number) => { co2: number, voc: number }} the next reading, taken at that local time
 */
export function createRoomAir(seed, stepMs) {
  const random = seededRandom(seed);
  const hours = stepMs / HOUR_MS;
  let co2 = 700;
  let voc = 150;
  let visit = Number.NaN;
  let people = 0;
  let cookingUntil = 0;
  let airingUntil = 0;

  /** @param {number} timeMs */
  function comeAndGo(timeMs) {
    const hour = Math.floor(timeMs / HOUR_MS) % 24;
    // A guest now and then, and now and then nobody at all.
    people = Math.max(0, Math.round((PEOPLE[hour] ?? 0) + (random() + random() - 1) * 1.6));
    const cooks = people > 0 && COOKING.has(hour) && random() < 0.3;
    if (cooks) cookingUntil = timeMs + (0.2 + random() * 0.5) * HOUR_MS;
  }

  return (timeMs) => {
    if (Math.floor(timeMs / VISIT_MS) !== visit) {
      visit = Math.floor(timeMs / VISIT_MS);
      comeAndGo(timeMs);
    }
    const isCooking = timeMs < cookingUntil;
    const isNoticed = people > 0 && co2 > STUFFY_CO2 && random() < NOTICE_PER_HOUR * hours;
    if (isNoticed || (isCooking && random() < hours)) airingUntil = timeMs + (5 + random() * 15) * 60_000;
    const exchanged = (timeMs < airingUntil ? AIRING : CLOSED) * hours;
    co2 += people * CO2_PER_PERSON * hours - (co2 - OUTDOOR_CO2) * exchanged;
    voc +=
      (people * VOC_PER_PERSON + (isCooking ? COOKING_VOC_PER_HOUR : 8)) * hours -
      (voc - OUTDOOR_VOC) * exchanged;
    return {
      co2: Math.round(co2 + (random() + random() - 1) * 12),
      voc: Math.round(voc + (random() + random() - 1) * 6),
    };
  };
}
