import { percentDecode } from '../../config/percent-decode.server';

/** The most characters of an answer that are kept. */
const LIMIT = 200;
/** Shorter parts of an address, such as `api`, are no secrets, and occur in other words. */
const SHORTEST_SECRET = 4;

/** Returns an answer in one line for people, without any of `secrets` and without control characters. */
export function answerText(answer: string, secrets: string[]): string {
  const hidden = secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    // A secret that is part of another one would leave the rest of it.
    .sort((a, b) => b.length - a.length)
    .reduce((text, secret) => text.replaceAll(secret, '…'), answer);
  const line = hidden.replace(/[\s\p{C}]+/gu, ' ').trim();
  return line.length > LIMIT ? `${line.slice(0, LIMIT)}…` : line;
}

/** Returns the parts of an address that could be secret, as they are written and percentDecode. */
export function secretsOf({ username, password, pathname, searchParams, search }: URL): string[] {
  const basic = basicCredentials({ username, password });
  const parts = [username, password, ...pathname.split('/'), ...search.slice(1).split(/[&=]/)];
  return [...parts, ...parts.map(percentDecode), ...searchParams.values(), ...(basic ? [basic] : [])];
}

/** Returns the credentials of Basic authentication, without the word `Basic`; null if the address has none. */
export function basicCredentials({ username, password }: Pick<URL, 'username' | 'password'>): string | null {
  if (!username && !password) return null;
  return Buffer.from(`${percentDecode(username)}:${percentDecode(password)}`).toString('base64');
}
