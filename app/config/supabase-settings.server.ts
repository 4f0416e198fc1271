/** The address and keys of a Supabase project. */
export interface SupabaseSettings {
  /** The project's URL, without a trailing slash. */
  url: string;
  /** The key that every page receives. */
  publicKey: string;
  /** The key for the server's own requests: the secret key if set, else the public one. */
  serverKey: string;
}

interface SupabaseVariables {
  SUPABASE_URL?: string;
  SUPABASE_PUBLISHABLE_KEY?: string;
  SUPABASE_ANON_KEY?: string;
  SUPABASE_SECRET_KEY?: string;
}

const KEYS = ['SUPABASE_PUBLISHABLE_KEY', 'SUPABASE_ANON_KEY', 'SUPABASE_SECRET_KEY'] as const;

/**
 * Returns the Supabase settings, or null if no variable is set.
 *
 * @param reject called for each invalid variable; the returned settings must not be used then
 */
export function supabaseSettings(
  variables: SupabaseVariables,
  reject: (variable: keyof SupabaseVariables, reason: string) => void,
): SupabaseSettings | null {
  const { SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY, SUPABASE_ANON_KEY, SUPABASE_SECRET_KEY } = variables;
  const publicKey = (SUPABASE_PUBLISHABLE_KEY ?? SUPABASE_ANON_KEY)?.trim();
  if (!SUPABASE_URL && !publicKey && !SUPABASE_SECRET_KEY) return null;

  for (const name of ['SUPABASE_PUBLISHABLE_KEY', 'SUPABASE_ANON_KEY'] as const) {
    const reason = variables[name] && publicKeyProblem(variables[name].trim());
    if (reason) reject(name, reason);
  }
  for (const name of KEYS) {
    if (/[^\w.-]/.test(variables[name]?.trim() ?? '')) {
      reject(name, 'contains a character that keys never contain, such as a quote or a space: remove it');
    }
  }
  if (SUPABASE_SECRET_KEY && isPublicKey(SUPABASE_SECRET_KEY.trim())) {
    reject('SUPABASE_SECRET_KEY', 'is a public key: set it as SUPABASE_PUBLISHABLE_KEY, or leave this out');
  }
  if (!SUPABASE_URL) {
    reject(
      'SUPABASE_URL',
      'is missing: a Supabase key is set. Set both, or neither to use the embedded store',
    );
  } else {
    const reason = urlProblem(SUPABASE_URL.trim());
    if (reason) reject('SUPABASE_URL', reason);
  }
  if (!publicKey) {
    reject(
      'SUPABASE_PUBLISHABLE_KEY',
      "is missing: the pages need the project's public key (or set the older SUPABASE_ANON_KEY)",
    );
  }
  return {
    url: SUPABASE_URL?.trim().replace(/\/+$/, '') ?? '',
    publicKey: publicKey ?? '',
    serverKey: SUPABASE_SECRET_KEY?.trim() ?? publicKey ?? '',
  };
}

function urlProblem(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return 'must be an address like https://PROJECT.supabase.co';
  if (url.username || url.password) return 'must not contain a password: every page receives the URL';
  if (url.search || url.hash || /\/(rest|realtime|auth)\/v1|\/dashboard\//.test(url.pathname)) {
    return "must be the project's address alone, like https://PROJECT.supabase.co";
  }
  return null;
}

/** Returns the reason why a key must not reach a browser, or null. */
function publicKeyProblem(key: string): string | null {
  const exposed = 'and every page would contain it';
  const instead = 'use the publishable (or the legacy anon) key here';
  const role = jwtRole(key);
  if (key.startsWith('sb_secret_') || role === 'service_role') {
    const kind = role === null ? 'a secret key' : 'a key of the role service_role';
    return `is ${kind}, ${exposed}: set it as SUPABASE_SECRET_KEY, and ${instead}`;
  }
  if (role !== null && role !== 'anon') return `is a key of the role ${role}, ${exposed}: ${instead}`;
  if (/^(sbp_|postgres(ql)?:)/.test(key)) return `isn't an API key of the project, ${exposed}: ${instead}`;
  return null;
}

/** Returns true if a key is safe to publish: `sb_publishable_…`, or a JWT of the role `anon`. */
export function isPublicKey(key: string): boolean {
  return key.startsWith('sb_publishable_') || jwtRole(key) === 'anon';
}

/** Returns the `role` claim of a JWT; null if the key isn't a JWT or has no such claim. */
function jwtRole(key: string): string | null {
  const [, payload, signature] = key.split('.');
  if (!payload || signature === undefined) return null;
  try {
    const { role } = JSON.parse(Buffer.from(payload, 'base64url').toString());
    return typeof role === 'string' ? role : null;
  } catch {
    return null;
  }
}
