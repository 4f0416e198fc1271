import type { Reading } from '../../../app/readings/reading';

/** Sends `POST /api/data` with a JSON body. */
export function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/api/data`, { method: 'POST', body: JSON.stringify(body), headers });
}

/** Posts readings one after another and returns them as stored. Throws unless each gets a 201. */
export async function postAll(url: string, readings: readonly unknown[]): Promise<Reading[]> {
  const stored: Reading[] = [];
  for (const reading of readings) {
    const answer = await post(url, reading);
    if (answer.status !== 201) throw new Error(`${answer.status}: ${await answer.text()}`);
    stored.push(await answer.json());
  }
  return stored;
}

/** Returns the readings of `GET /api/data`; `query` begins with `?`. */
export async function readAll(url: string, query = ''): Promise<Reading[]> {
  return (await fetch(`${url}/api/data${query}`)).json();
}
