/** Returns why this browser can't notify of this page; null if it can. */
export function whyNoNotifications(): string | null {
  if (!window.isSecureContext)
    return 'Browsers allow notifications only on pages with https, and on the machine that airboard runs on.';
  if (!('Notification' in window) || !navigator.locks)
    return "This browser can't show notifications of a page.";
  if (Notification.permission === 'denied')
    return 'Notifications of this page are blocked: allow them in the settings of the browser.';
  return canShow() ? null : 'This browser shows notifications only of installed apps.';
}

/** Chrome on Android has the API, but not its constructor. Without the permission, the browser shows nothing. */
function canShow(): boolean {
  if (Notification.permission === 'granted') return true;
  try {
    new Notification('airboard');
    return true;
  } catch {
    return false;
  }
}
