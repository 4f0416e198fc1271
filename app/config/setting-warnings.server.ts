import type { Env } from './env.server';
import { misspelledSettings } from './misspelled-settings.server';
import { isPublicKey } from './supabase-settings.server';

/** Returns warnings about names that have no effect, and about settings that are valid but risky. */
export function warningsAbout({ WRITE_KEY, supabase }: Env): string[] {
  const warnings = misspelledSettings().map(
    ({ name, meant }) => `${name} is not a setting and has no effect. Is ${meant} meant?`,
  );
  if (!WRITE_KEY) warnings.push('no WRITE_KEY is set: anyone who reaches this server can write');
  if (WRITE_KEY && supabase && supabase.serverKey === supabase.publicKey) {
    warnings.push(
      'WRITE_KEY guards this server alone: with the public Supabase key, which is in every page, anyone can ' +
        'write to the project. docs/supabase.md says how SUPABASE_SECRET_KEY prevents it',
    );
  }
  if (supabase && !isPublicKey(supabase.publicKey)) {
    warnings.push(
      'the public Supabase key is neither sb_publishable_… nor a JWT of the role anon. It is in every page: ' +
        "make sure that it isn't secret",
    );
  }
  return warnings;
}
