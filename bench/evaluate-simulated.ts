/** Evaluates airboard's judgement of rooms on simulated ones, in which it is known when a window was open and who was there. */
import { at } from '../app/readings/at';
import { quantile } from '../app/readings/quantiles';
import { judgeSensor } from '../app/readings/room/believability';
import type { Airing } from '../app/readings/room/find-airings';
import { findingsOf, LEAD_MINUTES, type RoomFindings } from '../app/readings/room/room-findings';
import {
  closedAirChanges,
  leastAirChanges,
  ROOM_DAYS,
  realAirings,
  ventilationOf,
} from '../app/readings/room/ventilation';
import { RULES } from '../tests/support/readings/simulated-room';
import { evaluateHomes } from './evaluate-homes';
import { DAYS, type SimulatedRoom, START, simulatedRooms, type TrueAiring } from './simulated-rooms';

const DAY = 1440;
/** Answers are asked for on the days from this one on. */
const FIRST_DAY = 14;
/** The answers about an airing are those until this many minutes after it. */
const AFTERWARDS = 25;
const SAMPLE_MINUTES = 15;
/** The least air changes an hour of a window that is wide open. */
const WIDE_OPEN = 6;

type Answer = ReturnType<typeof ventilationOf>;

/** A count of cases and of those in which something holds. */
class Share {
  held = 0;
  all = 0;

  add(isHeld: boolean): void {
    this.all += 1;
    if (isHeld) this.held += 1;
  }

  toString(): string {
    const percent = this.all === 0 ? '–' : `${Math.round((100 * this.held) / this.all)} %`;
    return `${this.held} of ${this.all} (${percent})`;
  }
}

/** The figures of a room, or of all rooms together. */
const noFigures = () => ({
  enoughInPoorAir: new Share(),
  enoughAfterEarlyEnd: new Share(),
  enoughInTime: new Share(),
  foundOften: new Share(),
  foundTilted: new Share(),
  foundEveryTenMinutes: new Share(),
  firstWord: new Share(),
  remainingHolds: new Share(),
  remainingNeverEnds: new Share(),
  silenced: new Share(),
  estimatesSilent: new Share(),
  wrongOffsets: new Share(),
  specific: new Share(),
  specificInhabited: new Share(),
  forecastShown: new Share(),
  forecastHeld: new Share(),
  airChangesKnown: new Share(),
  airChangesNear: new Share(),
  airChangesContained: new Share(),
});
const total = noFigures();
/** The figures of the room that is evaluated. */
let figures = noFigures();
const enoughDelays: number[] = [];
const falseAWeek: { name: string; count: number }[] = [];

/**
 * Prints the table of figures, and on stderr those of each room. Takes about ten minutes for all rooms.
 *
 * @param names parts of rooms' names, such as `studio`; all rooms without any
 */
export function evaluateSimulated(seed: number, names: readonly string[]): void {
  for (const room of simulatedRooms(
    seed,
    (name) => names.length === 0 || names.some((part) => name.includes(part)),
  )) {
    figures = noFigures();
    evaluate(room);
    const texts = [`false airings a week: ${falseAWeek.at(-1)?.count ?? '–'}`];
    for (const [key, share] of Object.entries(figures)) if (share.all > 0) texts.push(`${key}: ${share}`);
    console.error(`${room.name}\n  ${texts.join('\n  ')}`);
    for (const key of Object.keys(total) as (keyof typeof total)[]) {
      total[key].held += figures[key].held;
      total[key].all += figures[key].all;
    }
  }
  const rows: [string, unknown][] = [
    ['"Enough" at 1000 PPM or more', total.enoughInPoorAir],
    ['"Enough" in airings that ended before the target', total.enoughAfterEarlyEnd],
    [
      '"Enough" while the target is reached and the window open',
      `${total.enoughInTime}, median ${quantile(enoughDelays, 0.5)?.toFixed(1)} min`,
    ],
    ['false airings a week', falseText()],
    ['airings found: readings every 1 to 2 min', total.foundOften],
    ['airings found: tilted windows', total.foundTilted],
    ['airings found: a reading every 10 min', total.foundEveryTenMinutes],
    ['first word within two minutes: wide-open windows, a reading a minute', total.firstWord],
    ['"About N more minutes" within a minute', total.remainingHolds],
    ['"About N more minutes" that never end', total.remainingNeverEnds],
    ['good sensors that are not believed', total.silenced],
    ['estimates about which nothing is said', total.estimatesSilent],
    ['good sensors that are offered more than 75 PPM', total.wrongOffsets],
    ['moments of poor air with something specific', total.specific],
    ['the same in homes where somebody is always there', total.specificInhabited],
    ['forecast shown in the half hour before 1000 PPM', total.forecastShown],
    ['forecasts that hold', total.forecastHeld],
    ['air changes known in rooms with three decays', total.airChangesKnown],
    ['air changes within 15 %', total.airChangesNear],
    ['air changes within the range', total.airChangesContained],
    ...(names.length === 0 ? evaluateHomes(seed) : []),
  ];
  console.log('| simulated rooms | |\n|---|---|');
  for (const [name, value] of rows) console.log(`| ${name} | ${value} |`);
}

function falseText(): string {
  const mean = falseAWeek.reduce((sum, { count }) => sum + count, 0) / falseAWeek.length;
  const many = falseAWeek.filter(({ count }) => count > 1).sort((a, b) => b.count - a.count);
  return `mean ${mean.toFixed(2)}; above 1: ${many.map(({ name, count }) => `${name} ${count.toFixed(1)}`).join(', ') || 'none'}`;
}

function evaluate(room: SimulatedRoom): void {
  const days = Array.from({ length: DAYS }, (_, day) => {
    const from = START + day * DAY;
    return findingsOf(minutesUntil(room, from + DAY), { from, to: from + DAY }, RULES);
  });
  const sensor = judgeSensor(days, RULES.outdoor);
  const closed = closedAirChanges(
    days.flatMap(({ decays }) => decays),
    sensor,
  );
  const all = days.flatMap(({ airings }) => airings);
  const found = sensor.silence ? [] : realAirings(all, leastAirChanges(all, closed, sensor.baseline));
  if (room.fault === null) figures.silenced.add(sensor.believable === false);
  if (room.fault === 'estimate') figures.estimatesSilent.add(sensor.silence !== null);
  if (room.fault === null) figures.wrongOffsets.add(Math.abs(sensor.offeredOffset ?? 0) > 75);
  countAirings(room, found);
  if (room.fault === null && days.flatMap(({ decays }) => decays).length >= 3)
    figures.airChangesKnown.add(closed !== null);
  if (room.closed !== null && room.fault === null && closed) {
    figures.airChangesNear.add(Math.abs(closed.median / room.closed - 1) <= 0.15);
    figures.airChangesContained.add(closed.lowest <= room.closed && room.closed <= closed.highest);
  }
  if (room.fault !== 'estimate') askInAirings(room, days);
  askInPoorAir(room, days);
}

const touches = (a: Pick<Airing, 'from' | 'to'>, b: TrueAiring) => a.from <= b.to + 10 && a.to >= b.from - 10;

function countAirings(room: SimulatedRoom, found: readonly Airing[]): void {
  if (room.fault === 'estimate') return;
  const real = room.airings.filter(({ fromPpm, toPpm }) => fromPpm - toPpm >= 100);
  for (const airing of real) {
    const share =
      room.interval >= 10
        ? figures.foundEveryTenMinutes
        : room.isTilted
          ? figures.foundTilted
          : figures.foundOften;
    if (room.interval === 5) continue;
    share.add(found.some((each) => touches(each, airing)));
  }
  const wrong = found.filter((each) => !room.airings.some((airing) => touches(each, airing)));
  falseAWeek.push({ name: room.name, count: (7 * wrong.length) / DAYS });
}

/** Returns the minutes that the findings of a time need. */
function minutesUntil({ curve, interval }: SimulatedRoom, to: number) {
  const from = Math.floor((to - 1 - START) / DAY) * DAY - LEAD_MINUTES;
  const indexOf = (minute: number) => Math.max(0, Math.ceil(minute / interval));
  return { curve: curve.slice(indexOf(from), indexOf(to - START)), errors: [] };
}

function answerAt(room: SimulatedRoom, days: readonly RoomFindings[], now: number): Answer {
  const day = Math.floor((now - START) / DAY);
  const minutes = minutesUntil(room, now + 1);
  const today = findingsOf(minutes, { from: START + day * DAY, to: now + 1 }, RULES);
  const before = days.slice(Math.max(0, day - ROOM_DAYS + 1), day);
  return ventilationOf({ days: [...before, today], curve: minutes.curve, rules: RULES, now });
}

function askInAirings(room: SimulatedRoom, days: readonly RoomFindings[]): void {
  for (const airing of room.airings) {
    if (airing.from < START + FIRST_DAY * DAY || airing.fromPpm - airing.toPpm < 100) continue;
    let enoughAt: number | null = null;
    let firstAt: number | null = null;
    let isPoor = false;
    for (let now = airing.from; now <= airing.to + AFTERWARDS; now++) {
      if (now >= START + DAYS * DAY) break;
      const said = answerAt(room, days, now).airing;
      if (!said) continue;
      firstAt ??= now;
      if (said.is_enough) {
        enoughAt ??= now;
        if (at(room.truth, now - START) >= RULES.threshold) isPoor = true;
      } else if (said.remaining_minutes && now <= airing.to) {
        const [least, most] = said.remaining_minutes;
        const left = airing.wouldReachAt === null ? null : airing.wouldReachAt - now;
        figures.remainingNeverEnds.add(left === null);
        figures.remainingHolds.add(left !== null && left >= least - 1 && left <= most + 1);
      }
    }
    if (airing.airChanges >= WIDE_OPEN && room.interval === 1)
      figures.firstWord.add(firstAt !== null && firstAt <= airing.from + 2);
    if (enoughAt !== null) figures.enoughInPoorAir.add(isPoor);
    if (airing.reachedAt === null) figures.enoughAfterEarlyEnd.add(enoughAt !== null);
    else if (airing.to - airing.reachedAt >= 1) {
      figures.enoughInTime.add(enoughAt !== null && enoughAt <= airing.to);
      if (enoughAt !== null) enoughDelays.push(enoughAt - airing.reachedAt);
    }
  }
}

function askInPoorAir(room: SimulatedRoom, days: readonly RoomFindings[]): void {
  if (room.fault !== null) return;
  for (let minute = FIRST_DAY * DAY; minute < DAYS * DAY; minute += SAMPLE_MINUTES) {
    const co2 = at(room.truth, minute);
    const crossing = room.truth.findIndex((each, i) => i > minute && each >= RULES.threshold) - minute;
    const isBefore = co2 < RULES.threshold && crossing > 0 && crossing <= 30;
    if (co2 < RULES.threshold && !isBefore) continue;
    const { airing, usual_airing_minutes, forecast } = answerAt(room, days, START + minute);
    if (co2 >= RULES.threshold) {
      const share = room.isAlwaysInhabited ? figures.specificInhabited : figures.specific;
      share.add(airing !== null || usual_airing_minutes !== null);
    } else {
      figures.forecastShown.add(forecast !== null);
      if (!forecast) continue;
      const [least, most] = forecast.minutes;
      figures.forecastHeld.add(crossing >= least - 1 && crossing <= most + 1);
    }
  }
}
