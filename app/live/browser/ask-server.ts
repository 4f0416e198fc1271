/**
 * Requests an address of the server.
 *
 * @throws Error with the server's reason, or saying that the server can't be reached
 */
export async function askServer(address: string, options: RequestInit): Promise<Response> {
  const response = await fetch(address, options).catch(() => {
    throw new Error("The server can't be reached.");
  });
  if (response.ok) return response;
  const { detail } = await response.json().catch(() => ({}));
  throw new Error(detail ?? `The server answered with status ${response.status}.`);
}
