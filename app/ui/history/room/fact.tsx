import type { ReactNode } from 'react';

/** A large value, or `not known yet`, with its meaning below. */
export function Fact({ value, what, children }: { value?: string; what: string; children?: ReactNode }) {
  return (
    // Names of settings break too.
    <div className="min-w-0 wrap-anywhere">
      <p className={`text-2xl/8 font-bold ${value ? '' : 'text-muted'}`}>{value ?? 'not known yet'}</p>
      <p>{what}</p>
      {children && <p className="text-sm text-muted">{children}</p>}
    </div>
  );
}
