import type { Reading } from '../../app/readings/reading';

/** POST /api/data with a JSON body. */
export function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/api/data`, { method: 'POST', body: JSON.stringify(body), headers });
}

/** Posts readings one after another, and gives what was stored. */
export async function postAll(url: string, readings: readonly unknown[]): Promise<Reading[]> {
  const stored: Reading[] = [];
  for (const reading of readings) {
    const answer = await post(url, reading);
    if (answer.status !== 201) throw new Error(`${answer.status}: ${await answer.text()}`);
    stored.push(await answer.json());
  }
  return stored;
}

/** GET /api/data with a query, as readings. */
export async function readAll(url: string, query = ''): Promise<Reading[]> {
  return (await fetch(`${url}/api/data${query}`)).json();
}
