import { useEffect, useState } from 'react';
import { askServer, ServerError } from '../../live/browser/ask-server';
import { useLive } from '../../live/browser/use-live';
import type { AddressReport, AirReport, TestAnswer } from '../../readings/air/air-report';
import { Card, Notice } from '../card';
import { Button } from '../controls';
import { useHydrated } from '../hydration';
import { LocalTime } from '../local-time';
import { useWriteKey, type WriteKey, WriteKeyForm } from '../posting/write-key';
import { SensorStates } from './sensor-states';
import { TransitionList } from './transition-list';

interface NotificationsPageProps extends KnownReport {
  isKeyNeeded: boolean;
}

/** The notification report, or a form that asks for the write key if that is missing. */
export function NotificationsPage({ isKeyNeeded, ...initial }: NotificationsPageProps) {
  const access = useWriteKey(isKeyNeeded);
  const { report, problem } = useAirReport(initial, isKeyNeeded, access);
  const { key, isKeyRejected, rememberKey, rejectKey } = access;
  if (isKeyNeeded && key === null)
    return (
      <WriteKeyForm
        title="Notifications"
        purpose="see the notifications of this server"
        isRejected={isKeyRejected}
        onKey={rememberKey}
      />
    );
  return (
    <>
      {problem && <Notice>{problem} Trying again…</Notice>}
      {report && (
        <>
          <SensorStates report={report} />
          <AddressCard addresses={report.addresses} writeKey={key ?? null} onKeyRejected={rejectKey} />
          <TransitionList
            transitions={report.transitions}
            messages={report.messages}
            quiet={report.settings.quiet}
            hasSensorNames={report.sensors.some(({ sensor }) => sensor)}
          />
        </>
      )}
    </>
  );
}

const MISSING = {
  NOTIFY_URLS: {
    text: 'airboard can notify you when the air becomes poor, when it is no longer poor, and when a sensor goes silent. Set NOTIFY_URLS to one or more addresses, separated by spaces, and restart the server:',
    example: 'NOTIFY_URLS=ntfys://ntfy.sh/my-secret-topic',
  },
  SUPABASE_SECRET_KEY: {
    text: "On a Supabase project, notifications need the project's secret key, because the public key can't read their tables. Set SUPABASE_SECRET_KEY to it, and restart the server:",
    example: 'SUPABASE_SECRET_KEY=sb_secret_…',
  },
};

const MAIL = {
  name: 'e-mail; also set SMTP_URL to your mail server: smtps://USER:PASSWORD@HOST',
  example: 'mailto:ann@example.org',
};

interface NotSetUpProps {
  missing: keyof typeof MISSING;
  /** The names of providers, each with an address. */
  providers: readonly { name: string; example: string }[];
}

export function NotSetUp({ missing, providers }: NotSetUpProps) {
  const { text, example } = MISSING[missing];
  return (
    <Card title="Notifications are off">
      <div className="grid max-w-prose gap-3">
        <p>{text}</p>
        {/* Focusable, so that the arrow keys can scroll it. */}
        <section
          aria-label="Example"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs a tab stop.
          tabIndex={0}
          className="overflow-x-auto rounded-lg bg-canvas p-3 text-sm"
        >
          <pre>
            <code>{example}</code>
          </pre>
        </section>
        <p className="text-muted">
          Add this line to the file .env, or set it as an environment variable. The file is in airboard's own
          folder; for an installed package, <code>airboard --help</code> shows its path.
        </p>
        <p className="text-muted">
          Use one of these addresses, and replace the words in capitals. A chat shows the whole address when
          you add a webhook to it.
        </p>
        <ul className="grid gap-1 text-sm wrap-anywhere">
          {[...providers, MAIL].map(({ name, example }) => (
            <li key={name}>
              <code>{example}</code> <span className="text-muted">– {name}</span>
            </li>
          ))}
        </ul>
      </div>
    </Card>
  );
}

const ADDRESS = '/api/notifications';
const REFRESH_MS = 5000;
/** The server answers a request with a wrong write key with this status. */
const REJECTED = 401;

export interface KnownReport {
  report: AirReport | null;
  /** The reason why there is no newer report; null if `report` is the newest. */
  problem: string | null;
}

/** Refreshes the report while the page is visible. Removes it if the server rejects the write key. */
function useAirReport(initial: KnownReport, isKeyNeeded: boolean, { key, rejectKey }: WriteKey): KnownReport {
  const { answered, failure } = useLive<AirReport>(isKeyNeeded && !key ? null : { address: ADDRESS }, {
    everyMs: REFRESH_MS,
    writeKey: key,
  });
  useEffect(() => {
    if (failure?.status === REJECTED) rejectKey();
  }, [failure, rejectKey]);
  if (failure?.status === REJECTED) return { report: null, problem: null };
  if (!answered && !failure) return initial;
  return { report: answered?.answer ?? initial.report, problem: failure?.message ?? null };
}

interface Test {
  isSending: boolean;
  problem: string | null;
  answers: TestAnswer[] | null;
}

/** A test takes up to 10 s for an address that doesn't answer. */
const TIMEOUT_MS = 30_000;

const NO_TEST: Test = { isSending: false, problem: null, answers: null };

export function AddressCard({
  addresses,
  writeKey,
  onKeyRejected,
}: {
  addresses: readonly AddressReport[];
  writeKey: string | null;
  onKeyRejected(): void;
}) {
  const isHydrated = useHydrated();
  const [test, setTest] = useState(NO_TEST);
  const { isSending, problem, answers } = test;

  async function send(): Promise<void> {
    setTest({ ...test, isSending: true, problem: null });
    const post = { method: 'POST', writeKey, timeoutMs: TIMEOUT_MS };
    try {
      const { value } = await askServer<TestAnswer[]>(ADDRESS, post);
      setTest({ ...NO_TEST, answers: value });
    } catch (error) {
      const isKeyRejected = error instanceof ServerError && error.status === REJECTED;
      setTest({ ...test, isSending: false, problem: isKeyRejected ? null : (error as Error).message });
      if (isKeyRejected) onKeyRejected();
    }
  }

  return (
    <Card
      title="Addresses"
      aside={
        <Button disabled={!isHydrated || isSending} onClick={send} className="noscript:hidden">
          Send a test
        </Button>
      }
    >
      <ul className="grid gap-2">
        {addresses.map((report, index) => (
          <li key={report.address} className="flex flex-wrap gap-x-3 wrap-anywhere">
            <span className="font-semibold">{report.address}</span>
            <LastAnswer report={report} />
            <Answer answer={answers?.[index]} />
          </li>
        ))}
      </ul>
      <p role="status" className="mt-2 text-sm text-muted empty:mt-0">
        {statusOf(test)}
      </p>
      {problem !== null && <Notice>{problem}</Notice>}
    </Card>
  );
}

/** The state of an address: `failing since 10:00:00: HTTP 503, next attempt 10:05:00`. */
function LastAnswer({ report: { last, failingSince, nextAttempt } }: { report: AddressReport }) {
  if (!last) return <span className="text-muted">nothing sent lately</span>;
  if (failingSince === null)
    return (
      <span className="text-muted">
        last delivered <LocalTime time={last.at} />
      </span>
    );
  return (
    <span className="text-fall">
      failing since <LocalTime time={failingSince} />: {last.answer}
      {nextAttempt && (
        <>
          , next attempt <LocalTime time={nextAttempt} />
        </>
      )}
    </span>
  );
}

function Answer({ answer }: { answer?: TestAnswer }) {
  if (!answer) return null;
  const { isDelivered, answer: text } = answer;
  return (
    <span className={isDelivered ? 'text-rise' : 'text-fall'}>
      test {isDelivered ? 'delivered' : 'not delivered'}: {text}
    </span>
  );
}

function statusOf({ isSending, answers }: Test): string {
  if (isSending) return 'Sending a test to every address…';
  if (!answers) return '';
  const { length } = answers.filter(({ isDelivered }) => isDelivered);
  return `The test reached ${length} of ${answers.length} ${answers.length === 1 ? 'address' : 'addresses'}.`;
}
