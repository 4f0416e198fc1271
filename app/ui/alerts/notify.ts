import type { AlertEvent } from '../../alerts/alert-event';
import { browserChoice } from './browser-choice';
import { playTone } from './play-tone';

/** Shows an event as a notification of the browser, in the place of an earlier one of the sensor. */
export function notify({ sensor, title, text }: Pick<AlertEvent, 'sensor' | 'title' | 'text'>): void {
  const options = { body: text, icon: '/icon-192.png', tag: `airboard ${sensor}`, renotify: true };
  const notification = new Notification(title, options);
  notification.onclick = () => {
    window.focus();
    notification.close();
  };
  if (browserChoice() === 'sound') playTone();
}
