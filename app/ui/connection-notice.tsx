import type { Connection } from '../live/browser/page-state';
import { STORED_AT } from '../offline/stored-page';
import { formatWholeMinutes } from '../readings/time/format-duration';
import { LocalTime } from './local-time';
import { useHydrated } from './use-hydrated';
import { useNow } from './use-now';

/**
 * Says that live readings don't arrive, and why: in a line, or two short ones on a phone. Nothing while they arrive.
 *
 * @param problem why the server rendered the page without readings, or null
 */
export function ConnectionNotice({
  connection,
  problem,
}: {
  connection: Connection;
  problem: string | null;
}) {
  const storedAt = useHydrated() ? STORED_AT : null;
  const reason = reasonOf(connection, problem);
  if (!storedAt && !reason) return null;
  return (
    <p
      role={storedAt ? undefined : 'alert'}
      className="min-h-7 w-full content-center rounded-lg border-l-4 border-poor-ink bg-poor px-2 text-xs/4 text-poor-ink sm:px-3 sm:text-sm/5"
    >
      {storedAt ? <StoredPageNotice storedAt={storedAt} /> : reason}
    </p>
  );
}

/** Says how old a page is that was opened without a server. Its age isn't read out whenever it changes. */
function StoredPageNotice({ storedAt }: { storedAt: number }) {
  const now = useNow();
  return (
    <>
      <span role="alert">
        Not connected. This is the page of <LocalTime time={new Date(storedAt).toISOString()} />
      </span>
      {now !== null && `, ${formatWholeMinutes(now - storedAt)} ago`}. Reconnecting…
    </>
  );
}

function reasonOf(connection: Connection, problem: string | null): string | null {
  if (connection.state !== 'disconnected') {
    const reason = connection.state === 'live' ? connection.reason : problem;
    return reason ? `${reason} Trying again…` : null;
  }
  return `${connection.reason ?? 'The connection was lost.'} Reconnecting…`;
}
