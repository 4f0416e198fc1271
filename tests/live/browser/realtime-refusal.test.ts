import { expect, test } from 'vitest';
import { describeRefusal } from '../../../app/live/browser/realtime-refusal';

test.each([
  ['ConnectionRateLimitReached: Too many connected users', /limit is reached/],
  ['ClientJoinRateLimitReached: Too many joins per second', /limit is reached/],
  ['RealtimeRestarting: Realtime is restarting, please standby', /over soon/],
  ['InitializingProjectConnection: Realtime is initializing the project connection', /over soon/],
  ["DatabaseLackOfConnections: Database can't accept more connections", /database in the dashboard/],
  ['RealtimeDisabledForTenant: Realtime is disabled', /Enable Realtime/],
  ['InvalidJWTToken: Token has expired 5 seconds ago', /Compare SUPABASE_PUBLISHABLE_KEY/],
  ['Unauthorized: You do not have permissions', /Compare SUPABASE_PUBLISHABLE_KEY/],
  ['SomethingNew: never seen', /never seen\.$/],
])('says what was refused and what to do: %s', (reason, advice) => {
  const message = describeRefusal(reason);
  expect(message).toContain(`Supabase refuses the live channel: ${reason}.`);
  expect(message).toMatch(advice);
  expect(message.includes('SUPABASE_')).toBe(/JWT|Unauthorized/.test(reason));
});
