import { Card } from '../card';

const MISSING = {
  NOTIFY_URLS: {
    text: 'airboard can tell you when the air gets poor, when it is good again, and when a sensor stops. Name one or more addresses in the settings, separated by spaces, and start it again:',
    example: 'NOTIFY_URLS=ntfys://ntfy.sh/my-secret-topic',
  },
  SUPABASE_SECRET_KEY: {
    text: "On a Supabase project, notifications need the project's secret key: they keep what was sent in tables that the public key can't read. Add it to the settings and start airboard again:",
    example: 'SUPABASE_SECRET_KEY=sb_secret_…',
  },
};

interface NotSetUpProps {
  /** The setting that is missing. */
  missing: keyof typeof MISSING;
}

/** Says how notifications are set up. */
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
          The README lists the kinds of addresses: webhooks, ntfy, Slack, Mattermost, Discord, Gotify,
          Alertmanager and e-mail.
        </p>
      </div>
    </Card>
  );
}
