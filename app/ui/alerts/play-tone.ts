/** The pitches of the tone in Hz. */
const PITCHES = [660, 880];
const SECONDS = 0.18;
/** Of the loudest that the device plays. */
const LOUDNESS = 0.2;

/** Plays two short tones. Browsers keep pages silent that nobody has touched since they were loaded. */
export function playTone(): void {
  const context = new AudioContext();
  const loudness = context.createGain();
  loudness.connect(context.destination);
  const end = context.currentTime + SECONDS * PITCHES.length;
  // A tone that stops at once clicks.
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
