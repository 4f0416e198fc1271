import type { AirState } from '../../readings/air/air-state';

/** Forced colours take the colours away: a worse level then has a heavier frame. */
const LOOK: Record<AirState, string> = {
  good: 'border-transparent bg-good text-good-ink',
  moderate:
    'border-transparent bg-moderate text-moderate-ink forced-colors:border-double forced-colors:border-4',
  poor: 'border-transparent bg-poor text-poor-ink forced-colors:border-4',
  silent: 'border-dashed border-muted bg-canvas text-muted',
};

/** A state in a word, on its colour. */
export function StateMark({ state }: { state: AirState }) {
  return (
    <span
      data-state={state}
      className={`inline-block rounded-md border-2 px-1.5 text-sm/5 font-semibold ${LOOK[state]}`}
    >
      {state}
    </span>
  );
}
