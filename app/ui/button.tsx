import type { ButtonHTMLAttributes } from 'react';

/** The looks of a button, from the most important one to one that stays in the background. */
const LOOKS = {
  primary:
    'min-h-11 border-accent bg-accent px-4 py-2 font-semibold text-accent-ink enabled:hover:opacity-90',
  plain: 'min-h-11 border-line bg-surface px-4 py-2 font-semibold text-ink enabled:hover:border-accent',
  quiet:
    'min-h-10 border-transparent px-2 py-1 text-sm font-medium text-muted max-[24rem]:text-xs enabled:hover:bg-canvas enabled:hover:text-ink',
};

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { look?: keyof typeof LOOKS };

/** A button large enough for a thumb. */
export function Button({ look = 'plain', className = '', ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`cursor-pointer rounded-[0.625rem] border disabled:cursor-not-allowed ${LOOKS[look]} ${className}`}
    />
  );
}
