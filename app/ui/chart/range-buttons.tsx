import { RANGES, type Range } from '../../readings/range';
import { Button } from '../button';

interface RangeButtonsProps {
  selected: Range;
  /** How many readings exist. A range is enabled once there are enough for it. */
  count: number;
  onSelect(range: Range): void;
}

/** The four buttons for the chart's range. */
export function RangeButtons({ selected, count, onSelect }: RangeButtonsProps) {
  const next = RANGES.find(({ enabledFrom }) => count < enabledFrom);
  return (
    <div className="w-full sm:w-auto">
      <fieldset className="grid w-full min-w-0 grid-cols-4 gap-1 sm:w-auto sm:gap-2">
        <legend className="sr-only">Range of the chart</legend>
        {RANGES.map((range) => {
          const isEnabled = count >= range.enabledFrom;
          return (
            <Button
              key={range.name}
              disabled={!isEnabled}
              aria-pressed={range.name === selected.name}
              primary={range.name === selected.name}
              title={isEnabled ? undefined : `from ${range.enabledFrom} readings, ${count} so far`}
              onClick={() => onSelect(range)}
              className="px-1! text-sm disabled:border-dashed disabled:font-normal disabled:text-muted sm:px-4! sm:text-base"
            >
              {range.name}
            </Button>
          );
        })}
      </fieldset>
      {next && (
        <p className="mt-1 text-sm text-muted sm:text-right">
          The next range opens at {next.enabledFrom} readings: {count} so far
        </p>
      )}
    </div>
  );
}
