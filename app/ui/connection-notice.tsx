import type { Connection } from '../live/browser/connection';
import { Notice } from './notice';

/**
 * Says that live readings don't arrive, and why. Fixed to the bottom of the window, so that it moves nothing
 * when it comes and goes.
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
  const reason = reasonOf(connection, problem);
  if (!reason) return null;
  return (
    <div className="pointer-events-none fixed inset-x-0 bottom-0 z-10 mx-auto max-w-3xl p-4">
      <Notice>{reason}</Notice>
    </div>
  );
}

function reasonOf(connection: Connection, problem: string | null): string | null {
  if (connection.state !== 'disconnected') {
    const reason = connection.state === 'live' ? connection.reason : problem;
    return reason ? `${reason} Trying again…` : null;
  }
  return `${connection.reason ?? 'The connection was lost.'} Reconnecting…`;
}
