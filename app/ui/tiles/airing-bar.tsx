import type { AiringProgress } from '../room/airing-texts';

/** The progress of an airing as a bar. */
export function AiringBar({ share, text, isWall }: AiringProgress & { isWall: boolean }) {
  const percent = Math.round(share * 100);
  return (
    // An SVG, because the Content-Security-Policy forbids inline styles but allows SVG attributes.
    <svg
      role="progressbar"
      aria-label="Airing"
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuetext={text}
      width="100%"
      height="8"
      className={`w-full rounded-full ${isWall ? 'mt-[1vh] h-[1vh]' : 'mt-2 h-2'}`}
    >
      <rect width="100%" height="100%" className="fill-current opacity-20" />
      <rect width={`${percent}%`} height="100%" className="fill-current" />
    </svg>
  );
}
