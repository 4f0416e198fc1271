import { askServer } from '../../live/browser/ask-server';

/** An answer that was asked for before the page was hydrated. */
interface EarlyAnswer {
  arriving: Promise<unknown>;
  /** Undefined until it has arrived. */
  arrived?: unknown;
}

/** By their addresses. */
const early = new Map<string, EarlyAnswer>();

/** Asks for an answer that the page will need once it is hydrated. */
export function askEarly(address: string): void {
  const arriving = askServer(address, {}).then((response) => response.json());
  const answer: EarlyAnswer = { arriving };
  early.set(address, answer);
  arriving.then(
    (arrived) => {
      answer.arrived = arrived;
    },
    // Whoever asks for it gets the reason.
    () => {},
  );
}

/** Returns the early answer of an address, if it has arrived and nobody has asked for another one since. */
export function arrivedEarly<T>(address: string): T | undefined {
  return early.get(address)?.arrived as T | undefined;
}

/** Returns the JSON answer of an address, the early one at the first call. Rejects with the reason. */
export function askHistory<T>(address: string, options: RequestInit): Promise<T> {
  const answer = options.cache === 'no-cache' ? undefined : early.get(address);
  forgetEarly();
  return (answer?.arriving ?? askServer(address, options).then((response) => response.json())) as Promise<T>;
}

/** Makes the answers of the next calls new ones. */
export function forgetEarly(): void {
  early.clear();
}
