import type { ReactNode } from 'react';

/** An error message, read out by screen readers when it appears. */
export function Notice({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className="rounded-md border-l-4 border-poor-ink bg-poor px-3 py-2 text-poor-ink">
      {children}
    </p>
  );
}
