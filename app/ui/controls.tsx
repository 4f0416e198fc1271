import type { ButtonHTMLAttributes, ComponentProps } from 'react';

/** The looks of a button, most prominent first. */
const LOOKS = {
  primary:
    'min-h-11 border-accent bg-accent px-4 py-2 font-semibold text-accent-ink enabled:hover:opacity-90',
  plain: 'min-h-11 border-line bg-surface px-4 py-2 font-semibold text-ink enabled:hover:border-accent',
  quiet:
    'min-h-10 border-transparent px-2 py-1 text-sm font-medium text-muted max-[24rem]:text-xs enabled:hover:bg-canvas enabled:hover:text-ink',
};

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { look?: keyof typeof LOOKS };

export function Button({ look = 'plain', className = '', ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`cursor-pointer rounded-[0.625rem] border disabled:cursor-not-allowed ${LOOKS[look]} ${className}`}
    />
  );
}

interface SwitchProps {
  label: string;
  isOn: boolean;
  isDisabled?: boolean;
  onSwitch(isOn: boolean): void;
  className?: string;
}

export function Switch({ label, isOn, isDisabled, onSwitch, className = '' }: SwitchProps) {
  return (
    <label
      className={`flex min-h-11 items-center gap-3 ${isDisabled ? 'cursor-not-allowed' : 'cursor-pointer'} ${className}`}
    >
      <input
        type="checkbox"
        role="switch"
        className="size-5 accent-accent"
        checked={isOn}
        aria-checked={isOn}
        disabled={isDisabled}
        onChange={(event) => onSwitch(event.target.checked)}
      />
      {label}
    </label>
  );
}

/** The frame of a segmented control. Add a class for the number of columns. On a phone, large letters wrap. */
export const SEGMENT_FRAME =
  'flex w-full min-w-0 flex-wrap rounded-xl bg-canvas p-[3px] *:flex-1 sm:grid sm:w-auto';

/** The frame of a segmented control with four segments. */
export const SEGMENTS_LOOK = `${SEGMENT_FRAME} grid-cols-4`;

/** Returns a segment's classes. With forced colours, a selected segment uses `Highlight`, because backgrounds are dropped. */
export function segmentLook(isSelected: boolean): string {
  const look = isSelected
    ? 'border-muted/75 bg-surface text-ink forced-colors:bg-[Highlight] forced-colors:text-[HighlightText] forced-colors:forced-color-adjust-none'
    : 'border-transparent text-muted hover:text-ink';
  return `grid min-h-10 place-content-center rounded-[0.5625rem] border px-1 font-semibold sm:px-3.5 ${look}`;
}

export const POPOVER_LOOK =
  'm-auto rounded-2xl border border-line bg-surface p-4 text-ink shadow-2xl backdrop:bg-black/40 sm:p-6';

interface PopoverHeaderProps extends ComponentProps<typeof Button> {
  titleId: string;
  title: string;
}

/** A popover's title and close button. Further properties are passed to the button. */
export function PopoverHeader({ titleId, title, ...close }: PopoverHeaderProps) {
  return (
    <div className="flex items-start justify-between gap-3">
      <h2 id={titleId} className="text-xl font-semibold">
        {title}
      </h2>
      <Button look="quiet" className="-mt-1.5 -mr-2" {...close}>
        Close
      </Button>
    </div>
  );
}
