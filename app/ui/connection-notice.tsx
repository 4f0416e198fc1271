import type { Connection } from '../live/browser/connection';
import { Notice } from './notice';

/**
 * Says that live readings don't arrive and why; the page tries again by itself and keeps what it has. It
 * lies over the foot of the window, because what comes and goes must not move what is being read.
 *
 * @param problem why the page could not be rendered with readings
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
  if (connection.state === 'live') return null;
  if (connection.state === 'connecting') return problem && `${problem} Trying again…`;
  return `${connection.reason ?? 'The connection is lost.'} Reconnecting…`;
}
