/** The answer that was asked for before the page's other scripts had come. */
interface EarlyAnswer {
  address: string;
  arriving: Promise<unknown>;
  /** Undefined until it has arrived. */
  arrived?: unknown;
}

let early: EarlyAnswer | undefined;

/** Asks for an answer that the page will need once it is hydrated. */
export function askEarly(address: string): void {
  const arriving = fetch(address).then((response) => {
    if (!response.ok) throw new Error(`The server answered with status ${response.status}.`);
    return response.json();
  });
  const answer: EarlyAnswer = { address, arriving };
  early = answer;
  arriving.then(
    (arrived) => {
      answer.arrived = arrived;
    },
    // Whoever takes it asks again.
    () => {},
  );
}

/** Returns the early answer of an address, if it has arrived and nobody has taken or forgotten it. */
export function arrivedEarly<T>(address: string): T | undefined {
  return early?.address === address ? (early.arrived as T | undefined) : undefined;
}

/** Returns the early answer of an address, which may be on its way or fail, if it was asked for. The next call gets none. */
export function takeEarly<T>(address: string): Promise<T> | undefined {
  const taken = early?.address === address ? early.arriving : undefined;
  forgetEarly();
  return taken as Promise<T> | undefined;
}

export function forgetEarly(): void {
  early = undefined;
}
