import { type AlertChange, type Attempt, LEASE_SECONDS, RECORDED_ATTEMPTS, type Watch } from '../alert-store';
import { noteAnswer, type Project, queryError } from './supabase-errors.server';
import type { supabaseQueries } from './supabase-queries.server';

/** Sensors of a response: each takes up to 1 kB. */
export const LOADED_SENSORS = 1000;
/** Transitions, and messages, that a request removes. */
const PRUNED_ROWS = 500;

/**
 * The calls of the migration's functions. A fenced one returns null if another server has the lease.
 *
 * @param timeoutMs bounds each request
 */
export function supabaseAlertCalls(
  queries: ReturnType<typeof supabaseQueries>,
  project: Project,
  timeoutMs: number,
) {
  async function call(name: string, parameters: object): Promise<unknown> {
    const result = await queries.call(`alert_${name}`, parameters, AbortSignal.timeout(timeoutMs));
    noteAnswer(result, project);
    if (result.error) throw queryError(result, project);
    return result.data;
  }

  return {
    hold: (of_holder: string) => call('hold', { of_holder, lease_seconds: LEASE_SECONDS }),
    release: (of_token: number) => call('release', { of_token }),
    load: (after_sensor: string | null) => call('load', { after_sensor, at_most: LOADED_SENSORS }),
    commit: (of_token: number, change: AlertChange) => call('commit', { of_token, change }),
    watch: (of_token: number, { until, patienceMs }: Watch) =>
      call('watch', { of_token, at_time: until, patience_ms: patienceMs }),
    transitionsSince: (of_sensor: string, since_time: string) =>
      call('transitions_since', { of_sensor, since_time }),
    nextDelivery: (of_token: number, of_address: string) => call('next_delivery', { of_token, of_address }),
    record: (of_token: number, attempt: Attempt) => call('record', { of_token, attempt }),
    recent: (at_most: number) => call('recent', { at_most, attempts_at_most: RECORDED_ATTEMPTS }),
    recentMessages: (at_most: number) =>
      call('recent_messages', { at_most, attempts_at_most: RECORDED_ATTEMPTS }),
    prune: (of_token: number, before_time: string) =>
      call('prune', { of_token, before_time, at_most: PRUNED_ROWS }),
  };
}
