import type { PageRules } from '../../readings/air/page-rules';
import { browserChoice } from './browser-choice';
import { notify } from './notify';
import { pollAir } from './poll-air';

/** Only the tab that holds this lock tells; the next one takes over when it is closed. */
const LOCK = 'airboard.notify';

let watch: AbortController | null = null;

/** Watches the air as long as the viewer wants it and the browser allows it. Calling it again changes nothing. */
export function watchInBrowser(rules: PageRules): void {
  if (!isWanted() || watch || !navigator.locks) return;
  const own = new AbortController();
  watch = own;
  const { signal } = own;
  window.addEventListener('storage', stopUnlessWanted, { signal });
  navigator.locks.request(LOCK, { signal }, () => pollAir(rules, notify, signal)).catch(() => {});
}

/** Stops watching if the viewer no longer wants it. */
export function stopUnlessWanted(): void {
  if (isWanted()) return;
  watch?.abort();
  watch = null;
}

function isWanted(): boolean {
  return browserChoice() !== null && Notification.permission === 'granted';
}
