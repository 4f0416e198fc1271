const YEAR_SECONDS = 31_536_000;

/**
 * Remembers the sensor that this browser shows, for pages whose address names none.
 *
 * @param shown the sensor that the page shows until now: its address gets it, so that going back shows it again
 */
export function rememberSensor(name: string, shown?: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs a secure context.
  document.cookie = `sensor=${encodeURIComponent(name)}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
  if (shown === undefined) return;
  const { href } = window.location;
  const address = new URL(href);
  if (address.searchParams.has('sensor')) return;
  address.searchParams.set('sensor', shown);
  window.history.replaceState(window.history.state, '', address);
}
