/** What programs speak to. Everything else below `/api` and `/healthz` is not there. */
const API = ['/api/data', '/api/live', '/healthz'];

/** What each address can do, or null for one that is missing from the API. The readings alone are written. */
export function methodsOf(pathname: string): readonly string[] | null {
  const address = pathname.replace(/\/$/, '');
  // The router would take `/API/Data`, too, and turn `/api/live.data` into a page's data that never ends.
  if (/^\/(api|healthz)($|[/.])/i.test(address) && !API.includes(address)) return null;
  return address === '/api/data' ? ['GET', 'HEAD', 'POST'] : ['GET', 'HEAD'];
}
