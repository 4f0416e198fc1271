/** What each address can do. Everything but the readings themselves is only ever read. */
export function methodsOf(pathname: string): readonly string[] {
  return /^\/api\/data\/?$/.test(pathname) ? ['GET', 'HEAD', 'POST'] : ['GET', 'HEAD'];
}
