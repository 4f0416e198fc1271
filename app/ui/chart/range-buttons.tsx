import { RANGES, type Range } from '../../readings/chart/range';
import { SEGMENTS_LOOK, segmentLook } from './draw/segment-look';

interface RangeButtonsProps {
  selected: Range;
  /** How many readings exist. A range is enabled once there are enough for it. */
  count: number;
  onSelect(range: Range): void;
}

/** The four buttons for the chart's range, as one segmented control. */
export function RangeButtons({ selected, count, onSelect }: RangeButtonsProps) {
  const next = RANGES.find(({ enabledFrom }) => count < enabledFrom);
  return (
    <div className="w-full sm:w-auto">
      <fieldset className={SEGMENTS_LOOK}>
        <legend className="sr-only">Range of the chart</legend>
        {RANGES.map((range) => {
          const isEnabled = count >= range.enabledFrom;
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
      {/* Its line stays when all ranges are open, so that the chart doesn't jump up. */}
      <p className="-mb-2.5 min-h-5 pt-0.5 text-[0.6875rem]/4 text-muted sm:text-right sm:text-xs/4.5">
        {next && `The next range opens at ${next.enabledFrom} readings: ${count} so far`}
      </p>
    </div>
  );
}
