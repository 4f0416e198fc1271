import { RANGES, type Range } from '../readings/ranges';
import { Button } from './button';

interface RangeButtonsProps {
  selected: Range;
  /** How many readings exist: a range opens once there are enough. */
  count: number;
  onSelect(range: Range): void;
}

/** The four ranges of the chart. */
export function RangeButtons({ selected, count, onSelect }: RangeButtonsProps) {
  return (
    <fieldset className="grid w-full grid-cols-4 gap-2 sm:w-auto">
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
            className="px-2 disabled:border-dashed disabled:font-normal disabled:text-muted sm:px-4"
          >
            {range.name}
          </Button>
        );
      })}
    </fieldset>
  );
}
