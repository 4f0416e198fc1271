const YEAR_SECONDS = 31_536_000;

/** Remembers the sensor that this browser shows, for pages whose address names none. */
export function rememberSensor(name: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs a secure context.
  document.cookie = `sensor=${encodeURIComponent(name)}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
}
