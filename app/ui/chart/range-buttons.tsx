import { RANGES, type Range } from '../../readings/range';
import { Button } from '../button';

interface RangeButtonsProps {
  selected: Range;
  /** How many readings exist: a range opens once there are enough. */
  count: number;
  onSelect(range: Range): void;
}

/** The four ranges of the chart. */
export function RangeButtons({ selected, count, onSelect }: RangeButtonsProps) {
  const closed = RANGES.find(({ enabledFrom }) => count < enabledFrom);
  return (
    <div className="w-full sm:w-auto">
      <fieldset className="grid w-full min-w-0 grid-cols-4 gap-1 sm:w-auto sm:gap-2">
        <legend className="sr-only">Range of the chart</legend>
        {RANGES.map((range) => {
          const isOpen = count >= range.enabledFrom;
          return (
            <Button
              key={range.name}
              disabled={!isOpen}
              aria-pressed={range.name === selected.name}
              primary={range.name === selected.name}
              title={isOpen ? undefined : `from ${range.enabledFrom} readings, ${count} so far`}
              onClick={() => onSelect(range)}
              className="px-1! text-sm disabled:border-dashed disabled:font-normal disabled:text-muted sm:px-4! sm:text-base"
            >
              {range.name}
            </Button>
          );
        })}
      </fieldset>
      {closed && (
        <p className="mt-1 text-sm text-muted sm:text-right">
          The next range opens at {closed.enabledFrom} readings: {count} so far
        </p>
      )}
    </div>
  );
}
