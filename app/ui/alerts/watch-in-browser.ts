import { atBase } from '../../base-path';
import { askServer } from '../../live/browser/ask-server';
import { keepAsking } from '../../live/browser/use-live';
import type { AirAnswer } from '../../readings/air/air-report';
import type { AirState } from '../../readings/air/air-state';
import { SENSORS_IN_PAGE } from '../../readings/known-sensors';

/** Shows notifications while a page is open. The server judges the air and writes the texts. */

/** The polling interval. */
const ASK_EVERY_MS = 15_000;

/** A viewer's choice for this browser: notifications, notifications with a sound, or null for no notifications. */
export type BrowserChoice = 'on' | 'sound' | null;

/** The key in `localStorage`, and the name of the lock. Only the tab that holds the lock notifies; another takes over later. */
const CHOICE_KEY = 'airboard.notify';

export function browserChoice(): BrowserChoice {
  try {
    const choice = localStorage.getItem(CHOICE_KEY);
    return choice === 'on' || choice === 'sound' ? choice : null;
  } catch {
    return null;
  }
}

/** Stores the choice, and starts or stops watching. Other tabs get a `storage` event. */
export function chooseForBrowser(choice: BrowserChoice): void {
  try {
    if (choice) localStorage.setItem(CHOICE_KEY, choice);
    else localStorage.removeItem(CHOICE_KEY);
  } catch {
    // See `browserChoice`.
  }
  watchInBrowser();
  stopUnlessWanted();
}

let watching: AbortController | null = null;

/** Watches the air while the viewer wants it and the browser allows it. Repeating the call is harmless. */
export function watchInBrowser(): void {
  if (!isWanted() || watching || !navigator.locks) return;
  watching = new AbortController();
  const { signal } = watching;
  window.addEventListener('storage', stopUnlessWanted, { signal });
  navigator.locks.request(CHOICE_KEY, { signal }, () => watch(signal)).catch(() => {});
}

function stopUnlessWanted(): void {
  if (isWanted()) return;
  watching?.abort();
  watching = null;
}

function isWanted(): boolean {
  return browserChoice() !== null && Notification.permission === 'granted';
}

/** The last state of a sensor that this browser has shown. A sensor without an entry counts as good. */
interface Said {
  state: AirState;
  /** False for a silence that began before the browser watched. Its end isn't shown either. */
  isSaid: boolean;
}

/** Watches until the signal is aborted. */
function watch(signal: AbortSignal): Promise<void> {
  let said = saidLately();
  const asking = keepAsking({
    async ask({ signal }) {
      const answers = await askAll(signal);
      if (said) await sayChanges(said, answers, signal);
      else said = withoutSaying(answers);
      remember(said);
    },
    onAnswer() {},
    // The air is unknown until the server answers again.
    onFailure() {},
    everyMs: ASK_EVERY_MS,
    isForHidden: true,
  });
  asking.now();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      asking.stop();
      resolve();
    });
  });
}

function withoutSaying(answers: readonly AirAnswer[]): Map<string, Said> {
  return new Map(
    answers.flatMap(({ sensor, state }) => (state ? [[sensor, { state, isSaid: state !== 'silent' }]] : [])),
  );
}

/** More notifications at once are combined into one, because anybody who may post can add sensors. */
const MOST_AT_ONCE = 5;

/** Shows the changes. Sensors with good air are missing from `answers`. */
async function sayChanges(said: Map<string, Said>, answers: readonly AirAnswer[], signal: AbortSignal) {
  const states = new Map(answers.map(({ sensor, state }) => [sensor, state]));
  let count = 0;
  for (const sensor of new Set([...said.keys(), ...states.keys()])) {
    const before = said.get(sensor) ?? { state: 'good', isSaid: true };
    const state = states.has(sensor) ? states.get(sensor) : 'good';
    if (!state || state === before.state) continue;
    if (state === 'good' && !before.isSaid) {
      said.delete(sensor);
      continue;
    }
    if (count >= MOST_AT_ONCE) {
      count += 1;
      said.set(sensor, { state, isSaid: true });
      continue;
    }
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const [answer] = await ask({ sensor, before: before.state, zone }, signal);
    // A sensor without readings is unknown.
    if (answer && (!answer.state || !answer.notification)) continue;
    said.set(sensor, { state: answer?.state ?? 'good', isSaid: true });
    // Store before showing, so that no notification is repeated if the tab closes now.
    remember(said);
    if (!answer?.notification) continue;
    count += 1;
    show(answer.notification, sensor);
  }
  for (const [sensor, { state }] of said) if (state === 'good') said.delete(sensor);
  if (count > MOST_AT_ONCE) {
    const rest = `${count - MOST_AT_ONCE} more ${count - MOST_AT_ONCE === 1 ? 'sensor has' : 'sensors have'}`;
    show({ title: `${rest} changed`, text: 'Open airboard to see all of them.' }, '');
  }
}

async function askAll(signal: AbortSignal): Promise<AirAnswer[]> {
  const answers = await ask({}, signal);
  for (let page = answers; page.length === SENSORS_IN_PAGE; answers.push(...page)) {
    page = await ask({ after: page.at(-1)?.sensor ?? '' }, signal);
  }
  return answers;
}

async function ask(query: Record<string, string>, signal: AbortSignal): Promise<AirAnswer[]> {
  const search = new URLSearchParams(query).toString();
  return (await askServer<AirAnswer[]>(`/api/air${search && `?${search}`}`, { signal })).value;
}

/** The shown states are stored for a tab that takes over and for reloads. Older ones are ignored, because no tab was watching. */
const SAID_KEY = 'airboard.said';
const FORGOTTEN_AFTER_MS = 150_000;

function saidLately(): Map<string, Said> | null {
  try {
    const { at, said } = JSON.parse(localStorage.getItem(SAID_KEY) ?? '{}');
    return Math.abs(Date.now() - at) < FORGOTTEN_AFTER_MS ? new Map(said) : null;
  } catch {
    return null;
  }
}

function remember(said: Map<string, Said>): void {
  localStorage.setItem(SAID_KEY, JSON.stringify({ at: Date.now(), said: [...said] }));
}

/** Shows a notification. Replaces an earlier one for the same sensor. */
function show({ title, text }: { title: string; text: string }, sensor: string): void {
  const options = { body: text, icon: atBase('/icon-192.png'), tag: `airboard ${sensor}`, renotify: true };
  const notification = new Notification(title, options);
  notification.onclick = () => {
    window.focus();
    notification.close();
  };
  if (browserChoice() === 'sound') playTone();
}

const PITCHES = [660, 880];
const SECONDS = 0.18;
const LOUDNESS = 0.2;

/** Plays two short tones. Browsers stay silent until the viewer has interacted with the page. */
export function playTone(): void {
  const context = new AudioContext();
  const loudness = context.createGain();
  loudness.connect(context.destination);
  const end = context.currentTime + SECONDS * PITCHES.length;
  // Fade out, because a tone that ends abruptly clicks.
  loudness.gain.setValueAtTime(LOUDNESS, end - SECONDS / 2);
  loudness.gain.linearRampToValueAtTime(0, end);
  PITCHES.forEach((pitch, i) => {
    const tone = context.createOscillator();
    tone.frequency.value = pitch;
    tone.connect(loudness);
    tone.start(context.currentTime + i * SECONDS);
    tone.stop(context.currentTime + (i + 1) * SECONDS);
    if (i === PITCHES.length - 1) tone.onended = () => context.close();
  });
}
