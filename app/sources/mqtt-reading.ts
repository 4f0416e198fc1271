import { membersOf, refuse, type Translate } from '../ingest/adapters/adapter';

/** Returns what `+` of the filter is in a topic; undefined if the filter has none, and null for a topic of another filter. */
export function sensorOfTopic(filter: string, topic: string): string | null | undefined {
  const levels = topic.split('/');
  const expected = filter.split('/');
  const isSame = expected.every((level, i) => level === '+' || level === levels[i]);
  if (!isSame || levels.length !== expected.length) return null;
  const at = expected.indexOf('+');
  return at < 0 ? undefined : levels[at];
}

/**
 * Makes the translation of a message: its topic names the sensor, whatever the message says. A retained message is sent with
 * every subscription, so without its own time, it could be of any age.
 */
export function messageTranslation(sensor: string | undefined, isRetained: boolean): Translate {
  return (sent) => {
    const members = membersOf(sent);
    const { created_at = null } = members;
    if (isRetained && created_at === null) {
      return refuse('created_at', 'is missing in a retained message, which may be of any age');
    }
    return { ok: true, value: sensor === undefined ? members : { ...members, sensor } };
  };
}
