/** What a viewer has chosen for this browser: notifications, notifications with a sound, or null for none. */
export type BrowserChoice = 'on' | 'sound' | null;

const STORAGE_KEY = 'airboard.notify';

/** Returns the choice. Browsers can deny access to `localStorage`. */
export function browserChoice(): BrowserChoice {
  try {
    return localStorage.getItem(STORAGE_KEY) as BrowserChoice;
  } catch {
    return null;
  }
}

/** Keeps the choice. Other tabs get a `storage` event. */
export function chooseForBrowser(choice: BrowserChoice): void {
  try {
    if (choice) localStorage.setItem(STORAGE_KEY, choice);
    else localStorage.removeItem(STORAGE_KEY);
  } catch {
    // See `browserChoice`.
  }
}
