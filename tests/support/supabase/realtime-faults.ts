/** The lasting faults of a `RealtimeDouble`; none at first. */
export class RealtimeFaults {
  /** The error that joins are answered with. */
  refuseJoins: string | null = null;
  /** The time after which a join is refused. The socket answers nothing meanwhile, not even heartbeats. */
  refusedJoinMs = 5000;
  /** The error that subscribing fails with after a successful join. It is tried again on the same channel. */
  subscriptionError: string | null = null;
  /** The time between these tries. */
  retryMs = 5000;
  /** The table isn't in the publication. A channel that joins is told once, and not tried again. */
  isPublished = true;
  /** The poller knows that the table is published: it looks only once a minute. */
  isPolled = true;
  /** Answers nothing, not even heartbeats. */
  mute = false;
  /** Joins succeed but the subscription isn't registered: no event is sent until `attach()`. */
  detached = false;
  /** Events carry `errors` and no values. */
  emptyEvents = false;
  /**
   * False while the replication slot is missing: before it is made, which "Subscribed to PostgreSQL" doesn't wait for,
   * and after an error of the poller. Rows inserted meanwhile send no event, and no channel is told.
   */
  hasSlot = true;
  /** False if no policy lets the public key's role see the rows: no event is sent, and no channel is told. */
  anonMaySelect = true;
  /** How many times each event is sent. */
  copies = 1;
  /** Events are held until `release()`. */
  holdEvents = false;
  /** The status that WebSockets are refused with. */
  refuseSockets: 401 | 403 | 404 | 429 | 500 | null = null;
  /** The time after which a WebSocket is refused. */
  refusedSocketMs = 2000;
}
