import { type ReactNode, useId } from 'react';

interface CardProps {
  title: string;
  /** Shown opposite the title. */
  aside?: ReactNode;
  /** Hides the card in browsers without JavaScript. */
  needsScript?: boolean;
  children: ReactNode;
}

/** A section with a title. */
export function Card({ title, aside, needsScript = false, children }: CardProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={`min-w-0 rounded-xl border border-line bg-surface p-4 sm:p-6 ${needsScript ? 'noscript:hidden' : ''}`}
    >
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
