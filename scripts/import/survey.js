/**
 * Reads a file once before it is sent, to decide by all of its rows what single ones leave open: the decimal sign of its numbers,
 * the order of day and month of its dates, and the units of its columns.
 */
import { TABLE } from '../../app/readings/metric-table.js';
import { likelyUnit } from '../../app/readings/metric-units.js';
import { ImportError } from '../fail.js';
import { readRows } from './csv.js';
import { keyOf, timeText } from './layout.js';
import { decimalIn } from './numbers.js';
import { longMetrics } from './readings.js';
import { timesByOrder, twoWays } from './time.js';

/** @typedef {import('./readings.js').ImportOptions} ImportOptions */
/** @typedef {import('./numbers.js').Decimal} Decimal */
/** @typedef {import('./time.js').DateOrder} DateOrder */

const HALF_DAY_MS = 12 * 60 * 60_000;

/**
 * Returns the options with the decimal sign and the order of dates that the file has, unless the user says them.
 *
 * @param {ImportOptions} options
 * @returns {Promise<ImportOptions>}
 * @throws {ImportError} if the file doesn't decide, naming the option that does
 */
export async function withSurvey(options) {
  const { layout, times } = options;
  if (layout.source === 'airboard') return { ...options, decimal: '.', isDecimalGiven: true };
  const numbers = numberSurvey();
  const dates = dateSurvey();
  const long = new Map(
    layout.kind === 'long' ? longMetrics(options).map((metric) => [metric.name, metric]) : [],
  );

  /** @param {string[]} fields @param {import('./layout.js').Layout} current */
  function valuesIn(fields, current) {
    if (current.kind === 'wide') {
      return current.metrics.map((metric) => ({ metric, text: fields[metric.index]?.trim() ?? '' }));
    }
    const metric = long.get(keyOf(fields, current));
    return metric ? [{ metric, text: fields[current.value]?.trim() ?? '' }] : [];
  }

  for await (const { line, fields, layout: current, misquoted, ragged } of readRows(options.file, options)) {
    if (misquoted || ragged) continue;
    for (const { metric, text } of valuesIn(fields, current)) {
      numbers.note(decimalIn(text, metric.field, metric.convert));
      assertUnitKnown(metric, text, line);
    }
    if (times.dateOrder === undefined) dates.note(timeText(fields, current));
  }
  return {
    ...options,
    decimal: options.decimal ?? numbers.decision(),
    isDecimalGiven: options.decimal !== undefined,
    times: {
      // What the user says counts more than the header.
      timeZone: times.timeZone ?? layout.times.timeZone,
      dateOrder: times.dateOrder ?? dates.decision(layout.times.dateOrder),
    },
  };
}

/**
 * Rejects a value without a unit that is probably in another unit than the metric's. Other values of the same file, such as 45 °F, may
 * be possible in both.
 *
 * @param {import('./columns.js').MetricColumn} metric
 * @param {string} text
 * @param {number} line
 */
function assertUnitKnown({ field, name, hasUnit }, text, line) {
  if (hasUnit || !/^[+-]?\d+([.,]\d+)?$/.test(text)) return;
  const unit = likelyUnit(field, Number(text.replace(',', '.')));
  if (!unit) return;
  const own = TABLE.find((row) => row.field === field)?.unit;
  throw new ImportError(
    `line ${line}: "${name}" is ${text} without a unit, which may be ${unit}. Add --units ${field}=${unit}, or --units ${field}=${own}`,
  );
}

function numberSurvey() {
  /** The first number that shows each sign. @type {Map<Decimal, string>} */
  const certain = new Map();
  /** @type {Map<Decimal, string>} */
  const likely = new Map();
  /** @type {string | undefined} */
  let unclear;
  return {
    /** @param {ReturnType<typeof decimalIn>} found */
    note(found) {
      if (!found) return;
      if (found.certain) {
        if (!certain.has(found.certain)) certain.set(found.certain, found.number);
      } else if (found.likely) {
        if (!likely.has(found.likely)) likely.set(found.likely, found.number);
      } else {
        unclear ??= found.number;
      }
    },
    /** @returns {Decimal} */
    decision() {
      const found = certain.size > 0 ? certain : likely;
      const [first, second] = found;
      const ask = 'Add --decimal=, if the comma comes before the decimals, or --decimal=. if the point does';
      if (first && second) {
        throw new ImportError(
          `the numbers "${first[1]}" and "${second[1]}" have different decimal signs. ${ask}`,
        );
      }
      if (!first && unclear) {
        throw new ImportError(
          `the number "${unclear}" can be read in two ways, and no other number of the file decides it. ${ask}`,
        );
      }
      return first?.[0] ?? '.';
    },
  };
}

function dateSurvey() {
  /** The orders in which all dates exist. @type {Set<DateOrder>} */
  let possible = new Set(['mdy', 'dmy', 'ymd']);
  /** The orders in which rows before and after midnight follow each other closely. @type {Set<DateOrder>} */
  const close = new Set();
  /** @type {string | undefined} */
  let unclear;
  /** A date that leaves fewer orders. @type {string | undefined} */
  let deciding;
  let previous = '';
  return {
    /** @param {string} text */
    note(text) {
      const last = previous;
      previous = text;
      if (/^\d{4}/.test(text) || dayIn(text) === dayIn(last)) return;
      const times = timesByOrder(text);
      if (times.size === 0) return;
      const lastTimes = timesByOrder(last);
      for (const [order, time] of times) {
        const before = lastTimes.get(order);
        if (before !== undefined && dayOf(before) !== dayOf(time) && Math.abs(time - before) < HALF_DAY_MS) {
          close.add(order);
        }
      }
      const left = new Set([...possible].filter((order) => times.has(order)));
      if (left.size === 0) {
        throw new ImportError(
          `the dates "${deciding}" and "${text}" have different orders of day and month. Say one with --date-order, and the lines with the other are refused`,
        );
      }
      if (left.size < possible.size && (left.size === 1 || !deciding)) deciding = text;
      possible = left;
      if (new Set(times.values()).size > 1) unclear ??= text;
    },
    /** @param {DateOrder} [said] the order that the file's header says, which counts if the dates leave it open */
    decision(said) {
      const left = [...possible];
      if (left.length === 1) return left[0];
      const proved = left.filter((order) => close.has(order));
      if (proved.length === 1) return proved[0];
      if (said && possible.has(said)) return said;
      if (unclear) throw new ImportError(twoWays(unclear, possible.has('ymd')));
      return undefined;
    },
  };
}

/** Returns what is before the time of day. @param {string} text */
const dayIn = (text) => text.slice(0, text.indexOf(' '));

/** @param {number} ms */
const dayOf = (ms) => Math.floor(ms / (2 * HALF_DAY_MS));
