/** Advice by the error code that the reason of a refused join begins with. */
const ADVICE: [RegExp, string][] = [
  [/RateLimit|TooMany/, "The project's limit is reached: close other pages, or raise it in the dashboard."],
  [/Restarting|Initializing|Starting/, 'This should be over soon.'],
  [/Database/, "Check the project's database in the dashboard."],
  [/Disabled|Suspended/, 'Enable Realtime in the dashboard.'],
  [/JWT|Token|Unauthorized|key/i, "Compare SUPABASE_PUBLISHABLE_KEY with the project's API keys."],
];

/** Returns what was refused, and what to do about it if that is known. */
export function describeRefusal(reason: string): string {
  const [, advice = ''] = ADVICE.find(([pattern]) => pattern.test(reason)) ?? [];
  return `Supabase refuses the live channel: ${reason}. ${advice}`.trim();
}

/** Returns why a channel failed, as far as the client library knows. */
export function describeChannelError(error: Error | undefined, isSocketOpen: boolean): string {
  const { reason } = (error?.cause ?? {}) as { reason?: unknown };
  if (isSocketOpen && typeof reason === 'string') return describeRefusal(reason);
  if (isSocketOpen) return 'The live channel was interrupted.';
  // A browser doesn't say why a handshake failed, and a wrong key fails there.
  return (
    "Supabase Realtime can't be reached. If this lasts, the project may be paused, or SUPABASE_PUBLISHABLE_KEY is " +
    "none of the project's API keys: check supabase.com/dashboard."
  );
}
