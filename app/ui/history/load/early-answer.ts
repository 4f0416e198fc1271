/** The answer that was asked for before the page's other scripts had come. */
interface EarlyAnswer {
  address: string;
  arriving: Promise<unknown>;
  /** Undefined until it has arrived. */
  arrived?: unknown;
}

declare global {
  /** Not a variable of this module, of which there may be two: see `ask-first-history.ts`. */
  var earlyAnswer: EarlyAnswer | undefined;
}

/**
 * Asks for an answer that the page will need once it is hydrated.
 *
 * @returns fulfilled once it has arrived or failed
 */
export function askEarly(address: string): Promise<void> {
  const arriving = fetch(address).then((response) => {
    if (!response.ok) throw new Error(`The server answered with status ${response.status}.`);
    return response.json();
  });
  const answer: EarlyAnswer = { address, arriving };
  globalThis.earlyAnswer = answer;
  return arriving.then(
    (arrived) => {
      answer.arrived = arrived;
    },
    // Whoever takes it asks again.
    () => {},
  );
}

/** Returns the early answer of an address, if it has arrived and nobody has taken or forgotten it. */
export function arrivedEarly<T>(address: string): T | undefined {
  const early = globalThis.earlyAnswer;
  return early?.address === address ? (early.arrived as T | undefined) : undefined;
}

/** Returns the early answer of an address, which may be on its way or fail, if it was asked for. The next call gets none. */
export function takeEarly<T>(address: string): Promise<T> | undefined {
  const early = globalThis.earlyAnswer;
  const taken = early?.address === address ? early.arriving : undefined;
  forgetEarly();
  return taken as Promise<T> | undefined;
}

export function forgetEarly(): void {
  globalThis.earlyAnswer = undefined;
}
