import type { ButtonHTMLAttributes } from 'react';

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { primary?: boolean };

/** A button large enough for a thumb. `primary` marks the most important one. */
export function Button({ primary = false, className = '', ...rest }: ButtonProps) {
  const look = primary
    ? 'border-accent bg-accent text-accent-ink enabled:hover:opacity-90'
    : 'border-line bg-surface text-ink enabled:hover:border-accent';
  return (
    <button
      type="button"
      {...rest}
      className={`min-h-11 cursor-pointer rounded-md border px-4 py-2 font-semibold disabled:cursor-not-allowed ${look} ${className}`}
    />
  );
}
