/**
 * Requests JSON from an address of the server.
 *
 * @throws Error with the server's reason, or saying that the server can't be reached, or that something else has answered
 */
export async function askServer(address: string, options: RequestInit): Promise<Response> {
  const response = await fetch(address, options).catch(() => {
    throw new Error("The server can't be reached.");
  });
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json');
  if (response.ok && isJson) return response;
  if (response.ok)
    throw new Error("Something other than airboard has answered, such as a network's sign-in page.");
  const { detail } = await response.json().catch(() => ({}));
  throw new Error(detail ?? `The server answered with status ${response.status}.`);
}
