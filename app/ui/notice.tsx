import type { ReactNode } from 'react';

interface NoticeProps {
  /** True for errors of what happens without the viewer: screen readers don't read those out. */
  isSilent?: boolean;
  children: ReactNode;
}

/** An error message, read out by screen readers when it appears. */
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
