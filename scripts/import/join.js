/**
 * Joins a file that has one metric a row, as Home Assistant and InfluxDB export it.
 *
 * Values of both metrics that are at most 5 s apart are one reading, at the time of the first. Any other value is a
 * reading with the last value of the other metric: Home Assistant writes a row only when a value changes, so the last
 * one still holds. It holds for an hour at most, and not beyond a row that says it is unavailable; then the other metric
 * is null.
 */

/** @typedef {'co2' | 'voc'} Metric */
/**
 * A row of one metric. Without a time, it has a problem. From a value of null on, the metric is unavailable.
 *
 * @typedef {{ line: number, time?: number, value?: string | null, problem?: string }} MetricEvent
 */
/** @typedef {{ line: number, time: number, value: string }} Measured */

/** In microseconds. */
const TOGETHER = 5e6;
const HOLDS = 3600e6;

/**
 * @template Reading
 * @param {[AsyncIterable<MetricEvent>, AsyncIterable<MetricEvent>]} sources rows of CO2 and of VOC, each oldest first
 * @param {(time: number, values: Record<Metric, string | null>) => Reading} toReading
 * @returns {AsyncGenerator<{ line: number, reading?: Reading, problem?: string, skipped?: true, isJoined?: true }>} a reading that
 *   `isJoined` is of two rows
 */
export async function* joinMetrics(sources, toReading) {
  /** @type {Record<Metric, Measured | null>} */
  const known = { co2: null, voc: null };
  /** @type {(Measured & { metric: Metric }) | null} */
  let waiting = null;

  /** @param {Measured & { metric: Metric }} first @param {string} [together] */
  const reading = ({ line, time, metric, value }, together) => {
    const other = known[metric === 'co2' ? 'voc' : 'co2'];
    const held = other && time - other.time <= HOLDS ? other.value : null;
    const [mine, theirs] = [value, together ?? held];
    return {
      line,
      ...(together !== undefined && { isJoined: /** @type {const} */ (true) }),
      reading: toReading(time, metric === 'co2' ? { co2: mine, voc: theirs } : { co2: theirs, voc: mine }),
    };
  };

  for await (const { metric, event } of byTime(sources)) {
    const { line, time, value, problem } = event;
    if (time === undefined) {
      yield { line, problem };
    } else if (value === null || value === undefined) {
      if (waiting) yield reading(waiting);
      waiting = null;
      known[metric] = null;
      yield { line, skipped: true };
    } else if (waiting && waiting.metric !== metric && time - waiting.time <= TOGETHER) {
      known[metric] = { line, time, value };
      yield reading(waiting, value);
      waiting = null;
    } else {
      if (waiting) yield reading(waiting);
      known[metric] = { line, time, value };
      waiting = { metric, line, time, value };
    }
  }
  if (waiting) yield reading(waiting);
}

/**
 * Yields the rows of both sources in the order of time.
 *
 * @param {[AsyncIterable<MetricEvent>, AsyncIterable<MetricEvent>]} sources
 * @returns {AsyncGenerator<{ metric: Metric, event: MetricEvent }>}
 */
async function* byTime([co2Source, vocSource]) {
  const [co2Rows, vocRows] = [co2Source[Symbol.asyncIterator](), vocSource[Symbol.asyncIterator]()];
  let [co2, voc] = await Promise.all([co2Rows.next(), vocRows.next()]);
  while (!co2.done || !voc.done) {
    if (!co2.done && (voc.done || timeOf(co2.value) <= timeOf(voc.value))) {
      yield { metric: 'co2', event: co2.value };
      co2 = await co2Rows.next();
    } else {
      yield { metric: 'voc', event: /** @type {MetricEvent} */ (voc.value) };
      voc = await vocRows.next();
    }
  }
}

/** @param {MetricEvent} event */
function timeOf({ time = Number.NEGATIVE_INFINITY }) {
  return time;
}
