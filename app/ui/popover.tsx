import type { ComponentProps } from 'react';
import { Button } from './button';

/** The look of a popover in the middle of the page. */
export const POPOVER_LOOK =
  'm-auto rounded-2xl border border-line bg-surface p-4 text-ink shadow-2xl backdrop:bg-black/40 sm:p-6';

interface PopoverHeaderProps extends ComponentProps<typeof Button> {
  titleId: string;
  title: string;
}

/** The title of a popover, and a button that closes it. Other properties are those of the button. */
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
