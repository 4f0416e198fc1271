import { Card } from '../card';
import { Notice } from '../notice';
import { useWriteKey, WriteKeyForm } from '../posting/write-key';
import { AddressCard } from './address-card';
import { SensorStates } from './sensor-states';
import { TransitionList } from './transition-list';
import { type KnownReport, useAirReport } from './use-air-report';

interface NotificationsPageProps extends KnownReport {
  isKeyNeeded: boolean;
}

/** The report of notifications. Without the write key, a form that asks for it. */
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
    text: 'airboard can tell you when the air gets poor, when that is over, and when a sensor stops. Set NOTIFY_URLS to one or more addresses, separated by spaces, and start the server again:',
    example: 'NOTIFY_URLS=ntfys://ntfy.sh/my-secret-topic',
  },
  SUPABASE_SECRET_KEY: {
    text: "On a Supabase project, notifications need the project's secret key: they keep what was sent in tables that the public key can't read. Set SUPABASE_SECRET_KEY to it, and start the server again:",
    example: 'SUPABASE_SECRET_KEY=sb_secret_…',
  },
};

const KINDS = [
  ['https://HOST/PATH', 'a webhook with JSON'],
  ['ntfys://ntfy.sh/TOPIC', 'ntfy'],
  ['slack+https://hooks.slack.com/services/…', 'Slack'],
  ['mattermost+https://HOST/hooks/…', 'Mattermost'],
  ['discord+https://discord.com/api/webhooks/…', 'Discord'],
  ['gotify+https://HOST?token=…', 'Gotify'],
  ['alertmanager+http://HOST:9093', 'Alertmanager'],
  ['mailto:ann@example.org', 'e-mail, through the server that SMTP_URL names: smtps://USER:PASSWORD@HOST'],
] as const;

interface NotSetUpProps {
  /** The setting that is missing. */
  missing: keyof typeof MISSING;
}

/** Instructions for setting notifications up. */
export function NotSetUp({ missing }: NotSetUpProps) {
  const { text, example } = MISSING[missing];
  return (
    <Card title="Notifications are off">
      <div className="grid max-w-prose gap-3">
        <p>{text}</p>
        <pre className="overflow-x-auto rounded-lg bg-canvas p-3 text-sm">
          <code>{example}</code>
        </pre>
        <p className="text-muted">
          This is a line of the file .env, or an environment variable. The file is in airboard's own folder;
          for an installed package, <code>airboard --help</code> says where.
        </p>
        <p className="text-muted">
          An address is one of these. Replace the words in capitals; a chat shows the whole address where you
          add a webhook to it.
        </p>
        <ul className="grid gap-1 text-sm wrap-anywhere">
          {KINDS.map(([address, name]) => (
            <li key={address}>
              <code>{address}</code> <span className="text-muted">– {name}</span>
            </li>
          ))}
        </ul>
      </div>
    </Card>
  );
}
