import { Link } from '@remix-run/react';
import { useEffect, useId, useRef, useState } from 'react';
import type { ReportedSettings } from '../../readings/air/air-report';
import { formatLongDuration } from '../../readings/time/durations';
import { POPOVER_LOOK, PopoverHeader, Switch } from '../controls';
import { type BrowserChoice, browserChoice, chooseForBrowser, playTone } from './watch-in-browser';

/** The server's rules for judging the air, and the states that cause notifications. */
export type BrowserAlertRules = Pick<ReportedSettings, 'afterMs' | 'silentAfterMs' | 'on'>;

export function BrowserAlertsPanel({ rules, onClose }: { rules: BrowserAlertRules; onClose(): void }) {
  const titleId = useId();
  const panel = useRef<HTMLElement>(null);
  const [problem, setProblem] = useState(whyNoNotifications);
  const [choice, setChoice] = useState<BrowserChoice>(() =>
    problem === null && Notification.permission === 'granted' ? browserChoice() : null,
  );

  useEffect(() => {
    const node = panel.current;
    // Browsers without popovers show the panel in place.
    if (!node?.showPopover) return;
    node.showPopover();
    const close = (event: Event) => 'newState' in event && event.newState === 'closed' && onClose();
    node.addEventListener('toggle', close);
    return () => node.removeEventListener('toggle', close);
  }, [onClose]);

  async function choose(next: BrowserChoice): Promise<void> {
    setChoice(next);
    if (next && (await Notification.requestPermission()) !== 'granted') {
      setProblem(whyNoNotifications());
      // The focused switch disappears. Closing returns the focus to the button only if it is inside the panel.
      panel.current?.focus();
      return setChoice(null);
    }
    chooseForBrowser(next);
  }

  return (
    <section
      ref={panel}
      {...{ popover: 'auto' }}
      aria-labelledby={titleId}
      tabIndex={-1}
      className={`w-[min(28rem,calc(100vw-2rem))] ${POPOVER_LOOK}`}
    >
      <PopoverHeader titleId={titleId} title="Notifications of this browser" onClick={onClose} />
      {problem !== null ? (
        <p role="status" className="mt-2">
          {problem}
        </p>
      ) : (
        <>
          <Switch
            label="Notify me while a page of airboard is open"
            className="mt-2"
            isOn={choice !== null}
            onSwitch={(isOn) => choose(isOn ? 'on' : null)}
          />
          <Switch
            label="With a sound"
            className={`mt-2 ${choice === null ? 'text-muted' : ''}`}
            isOn={choice === 'sound'}
            isDisabled={choice === null}
            onSwitch={(isOn) => {
              choose(isOn ? 'sound' : 'on');
              if (isOn) playTone();
            }}
          />
          <p className="mt-2 text-sm text-muted">{describeRules(rules)}</p>
        </>
      )}
      <p className="mt-2 text-sm text-muted">
        Phones (ntfy, Telegram, Pushover), chats and mailboxes can be notified too:{' '}
        <Link to="/notifications" className="text-accent underline">
          Notifications
        </Link>
      </p>
    </section>
  );
}

/** Returns `You are notified when the air is poor for 5 min, after 15 min without a reading, and when that is over.` */
function describeRules({ on, afterMs, silentAfterMs }: BrowserAlertRules): string {
  const levels = on.filter((state) => state !== 'silent').join(' or ');
  const lasting = afterMs > 0 ? ` for ${formatLongDuration(afterMs)}` : '';
  const causes = [
    levels && `when the air is ${levels}${lasting}`,
    on.includes('silent') &&
      (silentAfterMs === null
        ? 'after three missed readings and 15 min without one'
        : `after ${formatLongDuration(silentAfterMs)} without a reading`),
  ].filter(Boolean);
  return `You are notified ${causes.join(', ')}, and when that is over.`;
}

function whyNoNotifications(): string | null {
  if (!window.isSecureContext)
    return 'Browsers allow notifications only on pages with HTTPS, and on the machine that runs airboard.';
  if (!('Notification' in window) || !navigator.locks)
    return "This browser can't show notifications from web pages.";
  if (Notification.permission === 'denied')
    return 'Notifications of this page are blocked: allow them in the settings of the browser.';
  return canShow() ? null : 'This browser shows notifications only of installed apps.';
}

/** Returns false for Chrome on Android, whose `Notification` constructor throws. Without permission, the test shows nothing. */
function canShow(): boolean {
  if (Notification.permission === 'granted') return true;
  try {
    new Notification('airboard');
    return true;
  } catch {
    return false;
  }
}
