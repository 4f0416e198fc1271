import { FORCED_FILL } from '../../level-look';
import { namePart, type TimePart } from './time-in-level';

const LOOKS: Record<TimePart['kind'], string> = {
  good: `bg-good-ink ${FORCED_FILL.good}`,
  moderate: `bg-moderate-ink ${FORCED_FILL.moderate}`,
  poor: `bg-poor-ink ${FORCED_FILL.poor}`,
  without:
    'border border-muted/45 bg-[repeating-linear-gradient(135deg,var(--line)_0_2px,var(--surface)_2px_5px)] forced-color-adjust-none forced-colors:border-[CanvasText] forced-colors:bg-[radial-gradient(CanvasText_1px,Canvas_1.5px)]',
};

interface TimeKeyProps {
  parts: readonly TimePart[];
  /** The time that the bar leaves out, in words. */
  others: readonly string[];
}

/** The parts of a level bar in words, each with its colour. */
export function TimeKey({ parts, others }: TimeKeyProps) {
  return (
    <ul className="flex min-h-15 flex-wrap content-start gap-x-4 text-[0.8125rem] text-muted sm:min-h-5">
      {parts.map((part) => (
        <li key={part.kind} className="flex items-center gap-1.5">
          <span aria-hidden="true" className={`size-2.5 flex-none rounded-[3px] ${LOOKS[part.kind]}`} />
          {namePart(part)}
        </li>
      ))}
      {others.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}
