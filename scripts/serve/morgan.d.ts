/** The part of morgan, remix-serve's log of requests, that airboard uses. */
declare module 'morgan' {
  const morgan: {
    /** Defines a format. A format that returns null logs nothing. */
    format(name: string, line: () => string | null): void;
  };
  export default morgan;
}
