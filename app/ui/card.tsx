import { type ReactNode, useId } from 'react';

interface CardProps {
  title: ReactNode;
  sensor?: string | null;
  /** True for a long title, which may wrap to leave room for `aside`. */
  isLong?: boolean;
  note?: ReactNode;
  aside?: ReactNode;
  /** Hides the card in browsers without JavaScript. */
  needsScript?: boolean;
  children: ReactNode;
}

/** A bordered section with a title. Elements inside have no borders of their own. */
export function Card({ title, sensor, isLong, note, aside, needsScript = false, children }: CardProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={`min-w-0 rounded-2xl border border-line bg-surface p-3.5 sm:px-5 sm:py-4 low:py-2 ${needsScript ? 'noscript:hidden' : ''}`}
    >
      <div className="mb-2.5 flex min-h-10 flex-wrap items-center justify-between gap-x-3 gap-y-2 low:mb-1">
        {/* A long name wraps to two lines, so that `aside` keeps its place. */}
        <div className={sensor || isLong ? 'flex-1 basis-32' : ''}>
          <h2
            id={id}
            title={sensor ?? undefined}
            className={`text-[0.9375rem] font-semibold text-muted ${sensor ? 'line-clamp-2 wrap-anywhere' : ''}`}
          >
            {title}
            {sensor && (
              <>
                {' – '}
                <bdi>{sensor}</bdi>
              </>
            )}
          </h2>
          {note}
        </div>
        {aside}
      </div>
      {children}
    </section>
  );
}

interface NoticeProps {
  /** True for errors of automatic actions, which screen readers shouldn't read out. */
  isSilent?: boolean;
  children: ReactNode;
}

export function Notice({ isSilent = false, children }: NoticeProps) {
  return (
    <p
      role={isSilent ? undefined : 'alert'}
      className="rounded-lg border-l-4 border-poor-ink bg-poor px-3 py-2 text-poor-ink"
    >
      {children}
    </p>
  );
}
