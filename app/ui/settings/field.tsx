import type { ReactNode } from 'react';

export const FIELD_LOOK =
  'min-h-11 w-full min-w-0 max-w-md rounded-md border border-muted bg-canvas px-3 text-ink';
export const NUMBER_LOOK = 'min-h-11 w-24 rounded-md border border-muted bg-canvas px-3 text-ink';

/** A labelled control of the settings. */
export function Field({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is a child.
    <label className="grid gap-1 sm:grid-cols-[13rem_1fr] sm:items-center">
      <span className="text-sm text-muted">{label}</span>
      {children}
    </label>
  );
}
