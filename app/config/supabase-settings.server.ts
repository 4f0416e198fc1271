/** How the server and the pages reach a Supabase project. */
export interface SupabaseSettings {
  /** The project's address, without a slash at its end. */
  url: string;
  /** In every page. */
  publicKey: string;
  /** What the server itself uses: the secret key where one is set, else the public one. */
  serverKey: string;
}

interface Given {
  SUPABASE_URL?: string;
  SUPABASE_PUBLISHABLE_KEY?: string;
  SUPABASE_ANON_KEY?: string;
  SUPABASE_SECRET_KEY?: string;
}

/**
 * The Supabase settings, or null where none is set.
 *
 * @param refuse is told each setting that is wrong, and why; what is returned then is of no use
 */
export function supabaseSettings(
  given: Given,
  refuse: (setting: keyof Given, reason: string) => void,
): SupabaseSettings | null {
  const { SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY, SUPABASE_ANON_KEY, SUPABASE_SECRET_KEY } = given;
  const publicKey = (SUPABASE_PUBLISHABLE_KEY ?? SUPABASE_ANON_KEY)?.trim();
  if (!SUPABASE_URL && !publicKey && !SUPABASE_SECRET_KEY) return null;

  for (const name of ['SUPABASE_PUBLISHABLE_KEY', 'SUPABASE_ANON_KEY'] as const) {
    const reason = given[name] && publicKeyProblem(given[name].trim());
    if (reason) refuse(name, reason);
  }
  if (SUPABASE_SECRET_KEY && isPublicKey(SUPABASE_SECRET_KEY.trim())) {
    refuse('SUPABASE_SECRET_KEY', 'is a public key: set it as SUPABASE_PUBLISHABLE_KEY, or leave this out');
  }
  if (!SUPABASE_URL) {
    refuse(
      'SUPABASE_URL',
      'is missing: a Supabase key is set. Set both, or neither to use the embedded store',
    );
  } else {
    const reason = urlProblem(SUPABASE_URL.trim());
    if (reason) refuse('SUPABASE_URL', reason);
  }
  if (!publicKey) {
    refuse(
      'SUPABASE_PUBLISHABLE_KEY',
      'is missing: the pages need the project’s public key (or set the older SUPABASE_ANON_KEY)',
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
  if (url.username || url.password) return 'must not hold a password: it is in every page';
  if (url.search || url.hash || /\/(rest|realtime|auth)\/v1|\/dashboard\//.test(url.pathname)) {
    return 'must be the project’s address alone, like https://PROJECT.supabase.co';
  }
  return null;
}

/** Why a key must not reach a browser. */
function publicKeyProblem(key: string): string | null {
  const exposed = 'it would be in every page. Use the publishable (or the legacy anon) key here';
  if (key.startsWith('sb_secret_'))
    return `is a secret key, and ${exposed}; SUPABASE_SECRET_KEY is its place`;
  const role = roleOf(key);
  if (role === 'service_role') {
    return `is the key of the role service_role, and ${exposed}; SUPABASE_SECRET_KEY is its place`;
  }
  if (role !== null && role !== 'anon') return `is a key of the role ${role}, and ${exposed}`;
  if (/^(sbp_|postgres(ql)?:)/.test(key)) return `is no key of the project’s API, and ${exposed}`;
  return null;
}

/** Whether a key is one of those that may be seen: `sb_publishable_…`, or a JWT of the role `anon`. */
export function isPublicKey(key: string): boolean {
  return key.startsWith('sb_publishable_') || roleOf(key) === 'anon';
}

/** The role a JWT is for; null where the key is not a JWT or names none. */
function roleOf(key: string): string | null {
  const [, payload, signature] = key.split('.');
  if (!payload || signature === undefined) return null;
  try {
    const { role } = JSON.parse(Buffer.from(payload, 'base64url').toString());
    return typeof role === 'string' ? role : null;
  } catch {
    return null;
  }
}
