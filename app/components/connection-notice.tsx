import type { Connection } from '../readings/freshness';
import { Notice } from './notice';

/** Says that live readings don't arrive and why; the page tries again by itself and keeps what it has. */
export function ConnectionNotice({
  connection,
  problem,
}: {
  connection: Connection;
  problem: string | null;
}) {
  if (connection.state === 'live') return null;
  if (connection.state === 'connecting') return problem ? <Notice>{problem} Trying again…</Notice> : null;
  return <Notice>{connection.reason ?? 'The connection is lost.'} Reconnecting…</Notice>;
}
