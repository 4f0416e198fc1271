import { Link, useLocation, useNavigate } from '@remix-run/react';
import { DEFAULT_RANGE, findRange, RANGES, type Range } from '../../readings/chart/range';
import { formatQuery } from '../../readings/format/format-query';
import { SEGMENTS_LOOK, segmentLook } from '../controls';
import { useShownReadings } from '../page-contexts';
import { withShownSensor } from '../sensors/sensor-address';

/** Returns a page's query with another range, or without one for null. Keeps the other parameters. */
export function withRange(search: string, range: string | null): string {
  const query = new URLSearchParams(search);
  if (range === null) query.delete('range');
  else query.set('range', range);
  return formatQuery(query);
}

/**
 * Keeps the range in the address, as `?range=`. If `count` is too low for it, the default range is selected.
 *
 * @param count null if ranges are times, all of which can be selected
 */
export function useSelectedRange(count: number | null): [Range, (range: Range) => void] {
  const { search } = useLocation();
  const navigate = useNavigate();
  const selected = findRange(new URLSearchParams(search).get('range') ?? '') ?? DEFAULT_RANGE;
  const select = ({ name }: Range) =>
    navigate(
      { search: withRange(search, name === DEFAULT_RANGE.name ? null : name) },
      { replace: true, preventScrollReset: true },
    );
  return [isEnabledAt(count, selected) ? selected : DEFAULT_RANGE, select];
}

function isEnabledAt(count: number | null, { enabledFrom }: Range): boolean {
  return count === null || count >= enabledFrom;
}

interface RangeButtonsProps {
  selected: Range;
  /** The number of existing readings, which decides which ranges are enabled; null if all are. */
  count: number | null;
  onSelect(range: Range): void;
}

export function RangeButtons({ selected, count, onSelect }: RangeButtonsProps) {
  const next = RANGES.find((range) => !isEnabledAt(count, range));
  return (
    <div className="w-full sm:w-auto">
      <fieldset className={SEGMENTS_LOOK}>
        <legend className="sr-only">Range of the chart</legend>
        {RANGES.map((range) => {
          const isEnabled = isEnabledAt(count, range);
          const isSelected = range.name === selected.name;
          return (
            <button
              key={range.name}
              type="button"
              disabled={!isEnabled}
              aria-pressed={isSelected}
              title={isEnabled ? undefined : `from ${range.enabledFrom} readings, ${count} so far`}
              onClick={() => onSelect(range)}
              className={`${segmentLook(isSelected)} cursor-pointer disabled:cursor-not-allowed disabled:font-normal disabled:opacity-60`}
            >
              {range.name}
            </button>
          );
        })}
      </fieldset>
      {/* The empty line stays when all ranges are enabled, so that the chart doesn't jump up. */}
      <p className="-mb-2.5 min-h-5 pt-0.5 text-[0.6875rem]/4 text-muted sm:text-right sm:text-xs/4.5">
        {next && `The next range opens at ${next.enabledFrom} readings: ${count} so far`}
      </p>
    </div>
  );
}

/** Links to the chart of each range. */
export function RangeLinks({ current }: { current: string | null }) {
  const search = withShownSensor(useLocation().search, useShownReadings());
  return (
    <nav aria-label="History" className={SEGMENTS_LOOK}>
      {RANGES.map(({ name }) => (
        <Link
          key={name}
          to={{ pathname: '/chart', search: withRange(search, name) }}
          aria-current={name === current ? 'page' : undefined}
          className={segmentLook(name === current)}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
