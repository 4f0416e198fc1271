import { useLocation, useNavigation } from '@remix-run/react';
import { useEffect, useRef, useState } from 'react';
import type { LiveReadings } from '../../live/browser/use-readings';
import { MAX_SENSORS } from '../../readings/heard-sensors';
import type { Thresholds } from '../../readings/level/threshold';
import { compareStandings, standingOf } from '../../readings/now/sensor-standing';
import { Button } from '../button';
import { useFreshness } from '../use-freshness';
import { useHydrated } from '../use-hydrated';
import { keepSensor, withSensor } from './sensor-address';
import { SensorLink } from './sensor-link';
import { useSteadyOrder } from './use-steady-order';

interface SensorStripProps {
  readings: LiveReadings;
  thresholds: Thresholds;
}

/** Every sensor, the worst air first; one tap shows another one. Nothing if there is only the one that is shown. */
export function SensorStrip({ readings, thresholds }: SensorStripProps) {
  const isNeeded = readings.sensors.some(({ name }) => name !== readings.sensor);
  return isNeeded ? <Strip readings={readings} thresholds={thresholds} /> : null;
}

/** One row, which scrolls, so that the page below keeps its place; or all rows, if the viewer wants that. */
const ROW = 'grid-flow-col auto-cols-[minmax(8.5rem,14rem)] overflow-x-auto [scrollbar-width:thin]';
const ALL_ROWS = 'grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))]';

function Strip({ readings, thresholds }: SensorStripProps) {
  const { sensor, sensors } = readings;
  const { search } = useLocation();
  const next = useNavigation().location;
  const list = useRef<HTMLUListElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { freshness, serverNow } = useFreshness(readings);
  const isFull = sensors.length >= MAX_SENSORS;
  const isDisconnected = freshness === 'disconnected';
  const standings = sensors
    .map((summary) => {
      const isShown = summary.name === sensor && freshness !== 'none';
      return standingOf(summary, thresholds, serverNow, isShown || isDisconnected ? freshness : undefined);
    })
    .sort(compareStandings);
  const order = useSteadyOrder(
    list,
    standings.map(({ name }) => name),
  );
  useShownInView(list, sensor, isOpen);
  // At once, before the readings of another sensor have come.
  const chosen = new URLSearchParams(next?.search).get('sensor') ?? sensor;

  return (
    <nav aria-label="Sensors" className="flex min-w-0 items-center gap-1.5">
      <ul ref={list} className={`grid min-w-0 flex-1 gap-1.5 ${isOpen ? ALL_ROWS : ROW}`}>
        {order.map((name) => {
          const standing = standings.find((one) => one.name === name);
          return (
            standing && (
              <li key={name} className="min-w-0">
                <SensorLink
                  standing={standing}
                  search={withSensor(search, name)}
                  isShown={name === sensor}
                  isChosen={name === chosen}
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
            The {MAX_SENSORS} sensors heard last.{' '}
            <a href="/api/sensors" className="text-accent underline">
              All sensors as JSON
            </a>
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

/** More sensors than these don't fit into a row, on a phone and on a wide screen. */
const [FEW, MANY] = [3, 8];

interface AllSensorsButtonProps {
  count: number;
  /** True if there may be sensors that the list lacks. */
  isFull: boolean;
  isOpen: boolean;
  onToggle(): void;
}

function AllSensorsButton({ count, isFull, isOpen, onToggle }: AllSensorsButtonProps) {
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

/** Scrolls the row to the sensor that is shown: at first, when another one is chosen, and when the list closes. */
function useShownInView(list: React.RefObject<HTMLElement>, sensor: string, isOpen: boolean): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: these move the sensor or the row.
  useEffect(() => {
    const row = list.current;
    const link = row?.querySelector('[aria-current]');
    if (!row || !link) return;
    const [outer, inner] = [row.getBoundingClientRect(), link.getBoundingClientRect()];
    // Not `scrollIntoView`, which would scroll the page too.
    row.scrollLeft += Math.min(0, inner.left - outer.left) + Math.max(0, inner.right - outer.right);
  }, [list, sensor, isOpen]);
}
