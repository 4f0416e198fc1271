import type { AlertEvent } from '../alert-event';

/** Returns whether an event should reach people at once: somebody has to open a window, or look after a sensor. */
export function isUrgent({ kind, state }: AlertEvent): boolean {
  return (kind === 'entered' || kind === 'reminder') && (state === 'poor' || state === 'silent');
}
