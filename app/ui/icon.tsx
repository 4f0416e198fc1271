/** A window with four panes, as in public/favicon.svg. */
export const WINDOW = 'M6 2h10q4 0 4 4v10q0 4-4 4H6q-4 0-4-4V6q0-4 4-4M11 2v18M2 11h18';
export const BELL = 'M3 17h16l-2-4V9A6 6 0 0 0 5 9v4zM9 20h4';

/** A drawing of lines. The text beside it says the same. */
export function Icon({ path, className = '' }: { path: string; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 22 22"
      className={`size-5 shrink-0 fill-none stroke-current stroke-2 ${className}`}
    >
      <path d={path} />
    </svg>
  );
}
