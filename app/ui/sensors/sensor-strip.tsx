import { Link, useLocation, useNavigation } from '@remix-run/react';
import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { fitValue, formatValue, withUnit } from '../../readings/format/format-value';
import { MAX_SENSORS } from '../../readings/known-sensors';
import { LEVELS, type Level, levelWords } from '../../readings/level/level';
import { METRICS, type Metric, measuredMetrics, type Thresholds } from '../../readings/metric';
import { type MetricNow, sensorNow } from '../../readings/now/level-now';
import { type Freshness, freshnessOf, freshnessOfOne } from '../../readings/now/stale';
import type { SensorSummary } from '../../readings/reading';
import { type ShownSensor, sensorLabel } from '../../readings/sensor';
import { silentAfterMsFor, thresholdsFor } from '../../readings/sensor-settings';
import { formatDuration } from '../../readings/time/durations';
import { Button } from '../controls';
import { useBeforePaint, useHydrated } from '../hydration';
import { BOX_LOOK } from '../level-look';
import { SilentAfterContext, useMetrics, useServerThresholds, useShownReadings } from '../page-contexts';
import { useFreshness } from '../use-freshness';
import { keepSensor, withSensor } from './sensor-address';
import { useOtherReadings, withNewest } from './use-other-readings';

/** Links to all sensors, worst air first. Renders nothing if there is only one sensor. */
export function SensorStrip() {
  const { sensor, sensors } = useShownReadings();
  return listedSensors(sensors, sensor).some(({ name }) => name !== sensor) ? <Strip /> : null;
}

/** Returns the sensors that aren't hidden, and the shown one. */
const listedSensors = (sensors: readonly SensorSummary[], shown: string) =>
  sensors.filter(({ name, is_hidden }) => name === shown || !is_hidden);

/** One scrolling row, so that the page below doesn't move; or all rows, if the viewer chooses that. */
const ROW = 'grid-flow-col auto-cols-[minmax(8.5rem,14rem)] overflow-x-auto [scrollbar-width:thin]';
const ALL_ROWS = 'grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))]';

function Strip() {
  const readings = useShownReadings();
  const thresholds = useServerThresholds();
  const metrics = useMetrics();
  const serverSilentAfterMs = useContext(SilentAfterContext);
  const { sensor } = readings;
  const sensors = listedSensors(readings.sensors, sensor);
  const { search } = useLocation();
  const next = useNavigation().location;
  const list = useRef<HTMLUListElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { freshness, serverNow } = useFreshness(readings);
  const isFull = sensors.length >= MAX_SENSORS;
  const isDisconnected = freshness === 'disconnected';
  const othersReadings = useOtherReadings(sensors, sensor, serverNow);
  const entries = sensors
    .map((summary) => {
      const isShown = summary.name === sensor && freshness !== 'none';
      const { name, newest: last } = summary;
      const silentAfterMs = silentAfterMsFor(serverSilentAfterMs, summary);
      const others = othersReadings.get(name);
      const own = others
        ? freshnessOf({ last, readings: withNewest(others, last), isDisconnected, silentAfterMs }, serverNow)
        : freshnessOfOne(last, serverNow, silentAfterMs);
      const known = isShown || isDisconnected ? freshness : own;
      return stripEntry(summary, thresholds, serverNow, known, metrics);
    })
    .sort(compareEntries);
  const order = useSteadyOrder(
    list,
    entries.map(({ name }) => name),
    serverNow,
  );
  useShownInView(list, sensor, isOpen);
  const stop = useTabStop(order, sensor);
  // Marks the next sensor at once, while its readings are still loading.
  const chosen = new URLSearchParams(next?.search).get('sensor') ?? sensor;

  return (
    <nav aria-label="Sensors" className="flex min-w-0 items-center gap-1.5">
      <ul ref={list} className={`grid min-w-0 flex-1 gap-1.5 ${isOpen ? ALL_ROWS : ROW}`} {...stop.handlers}>
        {order.map((name) => {
          const entry = entries.find((one) => one.name === name);
          return (
            entry && (
              <li key={name} className="min-w-0">
                <SensorLink
                  entry={entry}
                  search={withSensor(search, name)}
                  isShown={name === sensor}
                  isChosen={name === chosen}
                  isWhole={isOpen}
                  tabIndex={stop.tabIndexOf(name)}
                  onChoose={() => {
                    keepSensor(sensor);
                    setOpen(false);
                  }}
                />
              </li>
            )
          );
        })}
        {isFull && (
          <li className="self-center px-2 text-xs text-muted">
            The {MAX_SENSORS} sensors with the latest readings.{' '}
            <Link to="/rooms" discover="none" className="text-accent underline">
              All rooms
            </Link>
          </li>
        )}
      </ul>
      <AllSensorsButton
        count={sensors.length}
        isFull={isFull}
        isOpen={isOpen}
        onToggle={() => setOpen(!isOpen)}
      />
    </nav>
  );
}

interface SensorLinkProps {
  entry: StripEntry;
  search: string;
  /** True if the page shows the readings of this sensor. */
  isShown: boolean;
  isChosen: boolean;
  /** True if a long name wraps rather than being cut. */
  isWhole: boolean;
  tabIndex: number | undefined;
  onChoose(): void;
}

const LONG = 11;

/** A sensor of the strip: its name, newest value, level and age. */
function SensorLink({ entry, search, isShown, isChosen, isWhole, tabIndex, onChoose }: SensorLinkProps) {
  const { name, value, level, isFaulty, cause, freshness, age } = entry;
  const isLive = freshness === 'live';
  const look = !isLive ? BOX_LOOK.silent : level ? BOX_LOOK[level] : 'bg-canvas text-ink';
  const frame = isChosen
    ? 'border-ink forced-colors:underline'
    : isLive && level
      ? 'border-transparent hover:border-current'
      : 'border-line hover:border-muted';
  const levelText = cause && level ? `${level} (${cause})` : (level ?? (isFaulty && 'check'));
  return (
    <Link
      to={{ search }}
      preventScrollReset
      discover="none"
      aria-current={isShown ? 'page' : undefined}
      data-level={(isLive && level) || undefined}
      data-freshness={freshness}
      data-sensor={name}
      tabIndex={tabIndex}
      onClick={onChoose}
      className={`grid min-h-11 rounded-xl border-2 px-2 py-1.5 leading-tight -outline-offset-2 ${look} ${frame}`}
    >
      <bdi
        title={sensorLabel(name)}
        className={`text-left text-sm ${isWhole ? 'wrap-anywhere' : 'truncate'}`}
      >
        {sensorLabel(name)}
      </bdi>{' '}
      <span className={`truncate font-bold ${value.length > LONG ? 'text-sm/6' : 'text-lg/6'}`}>{value}</span>{' '}
      <span className="truncate text-xs">{isLive && levelText ? `${levelText}, ${age}` : age}</span>
    </Link>
  );
}

const ROOM = 7;

/** A sensor's entry in the strip, from its newest reading. */
export interface StripEntry {
  name: string;
  /** The value with its unit, of the first metric that has levels (CO2 if measured), or else of the first metric. */
  value: string;
  /** Null if no metric has levels, or if a faulty value makes the air look good. */
  level: Level | null;
  isFaulty: boolean;
  cause: string | null;
  freshness: Freshness;
  age: string;
}

/**
 * Returns a strip entry. `now` is the server's clock in ms; `known` is the freshness, if the page has more of the
 * readings.
 */
export function stripEntry(
  summary: SensorSummary,
  thresholds: Thresholds,
  now: number,
  known?: Freshness,
  metrics: readonly Metric[] = METRICS,
): StripEntry {
  const air = sensorNow(summary, thresholds, now, known);
  const own = thresholdsFor(thresholds, summary.thresholds);
  const { level, fault, freshness } = air;
  const measured = measuredMetrics([summary.newest], metrics);
  const metric = measured.find(({ field }) => thresholds[field]) ?? measured[0];
  const worst = air.metrics.find((each) => each.level === level);
  const cause = worst?.metric;
  const value = metric && summary.newest[metric.field];
  const ageMs = now - Date.parse(summary.newest.created_at);
  return {
    name: summary.name,
    value: metric
      ? withUnit(metric, fitValue(formatValue(value ?? 0, own[metric.field], metric), ROOM))
      : '–',
    level,
    isFaulty: fault !== null,
    cause: cause && cause.field !== metric?.field ? causeWords(worst) : null,
    freshness,
    age: freshness === 'ahead' ? 'time not known' : `${formatDuration(ageMs)} ago`,
  };
}

/** Returns the name of the metric that causes a level, or words such as `too cold`. */
const causeWords = ({ metric, threshold, level }: MetricNow): string =>
  metric.comfort ? levelWords(metric, threshold, level) : metric.name;

/** Compares sensors: worst air first, then by name. Sensors with unknown air come last. */
export function compareEntries(a: StripEntry, b: StripEntry): number {
  // Not `localeCompare`, whose order may differ between the server's and the viewer's language.
  return rankOf(a) - rankOf(b) || (sensorLabel(a.name) < sensorLabel(b.name) ? -1 : 1);
}

/** Ranks the air, worst highest. While the page is disconnected, no sensor changes, so the order stays. */
function rankOf({ freshness, level }: StripEntry): number {
  const isKnown = freshness === 'live' || freshness === 'disconnected';
  return isKnown && level ? LEVELS.length - LEVELS.indexOf(level) : LEVELS.length + 1;
}

/** The most sensors that fit into one row: on a phone, and on a wide screen. */
const [FEW, MANY] = [3, 8];

function AllSensorsButton({
  count,
  isFull,
  isOpen,
  onToggle,
}: {
  count: number;
  isFull: boolean;
  isOpen: boolean;
  onToggle(): void;
}) {
  const isHydrated = useHydrated();
  if (count <= FEW) return null;
  return (
    <Button
      aria-expanded={isOpen}
      disabled={!isHydrated}
      onClick={onToggle}
      className={`self-start whitespace-nowrap noscript:hidden ${count > MANY ? '' : 'xl:hidden'}`}
      look="quiet"
    >
      {isOpen ? 'Fewer' : `${isFull ? 'Last' : 'All'} ${count}`}
      <span className="sr-only"> sensors</span>
    </Button>
  );
}

const KEYS = ['ArrowLeft', 'ArrowRight', 'Home', 'End'];

/** Makes the sensors one tab stop, with arrow keys, Home and End to move between them. Without scripts, each is one. */
function useTabStop(order: readonly string[], shown: string) {
  const isHydrated = useHydrated();
  const [focused, setFocused] = useState<string | null>(null);
  const stop = [focused, shown].find((name) => name !== null && order.includes(name)) ?? order[0];
  const onFocus = ({ target }: FocusEvent<HTMLElement>) => setFocused(target.dataset.sensor ?? null);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (!KEYS.includes(event.key) || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a[data-sensor]')];
    const current = links.findIndex((link) => link.matches(':focus'));
    if (current < 0) return;
    event.preventDefault();
    event.stopPropagation();
    const [left, right] = [Math.max(0, current - 1), Math.min(links.length - 1, current + 1)];
    const next = { ArrowLeft: left, ArrowRight: right, Home: 0, End: links.length - 1 }[event.key] ?? current;
    links[next]?.focus();
  };
  return {
    handlers: { onFocus, onKeyDown },
    tabIndexOf: (name: string) => (isHydrated && name !== stop ? -1 : undefined),
  };
}

/** Scrolls the row to the shown sensor: initially, when another one is chosen, and when the list closes. */
function useShownInView(list: React.RefObject<HTMLElement>, sensor: string, isOpen: boolean): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: scroll again when the sensor or the layout changes.
  useEffect(() => {
    const row = list.current;
    const link = row?.querySelector('[aria-current]');
    if (!row || !link) return;
    const [outer, inner] = [row.getBoundingClientRect(), link.getBoundingClientRect()];
    // Not `scrollIntoView`, which would scroll the page too.
    row.scrollLeft += Math.min(0, inner.left - outer.left) + Math.max(0, inner.right - outer.right);
  }, [list, sensor, isOpen]);
}

/** The order stays for this long after an interaction with the list. */
const HOLD_MS = 3000;

const ACTIONS = ['pointermove', 'pointerdown', 'pointerup', 'scroll', 'keydown', 'focusin'] as const;

/**
 * Returns the names in their order, but keeps the previous order while the viewer is using the list: with the pointer on it,
 * keyboard focus in it, or shortly after a touch. New names then come last.
 *
 * @param list the element that shows the names
 * @param now changes every second, so that the order is updated once the viewer has left the list
 */
export function useSteadyOrder(
  list: RefObject<HTMLElement>,
  names: readonly string[],
  now: number,
): readonly string[] {
  const [order, setOrder] = useState(names);
  const lastAction = useRef(Number.NEGATIVE_INFINITY);

  useEffect(() => {
    const listening = new AbortController();
    const note = () => {
      lastAction.current = performance.now();
    };
    for (const type of ACTIONS) list.current?.addEventListener(type, note, { signal: listening.signal });
    return () => listening.abort();
  }, [list]);

  const wanted = JSON.stringify(names);
  // `now` is a dependency so that the order is updated after a while.
  useBeforePaint(() => {
    const names: string[] = JSON.parse(wanted);
    const isHeld = isBeingUsed(list.current, lastAction.current);
    setOrder((before) => {
      const kept = isHeld ? before.filter((name) => names.includes(name)) : [];
      const next = [...kept, ...names.filter((name) => !kept.includes(name))];
      return JSON.stringify(next) === JSON.stringify(before) ? before : next;
    });
  }, [wanted, now, list]);

  return order;
}

function isBeingUsed(list: HTMLElement | null, lastAction: number): boolean {
  if (!list) return false;
  return (
    performance.now() - lastAction < HOLD_MS ||
    // Only for devices that can hover, because an element stays hovered after a touch.
    (matchMedia('(hover: hover)').matches && list.matches(':hover')) ||
    list.querySelector(':focus-visible') !== null
  );
}

/** The text for a sensor without readings. */
export function UnknownSensor({ sensor }: Pick<ShownSensor, 'sensor'>) {
  if (!sensor) return <>No reading without a sensor name yet.</>;
  return (
    <span className="wrap-anywhere">
      No reading of a sensor named <bdi className="font-semibold">{sensor}</bdi> yet.
    </span>
  );
}
