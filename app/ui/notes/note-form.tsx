import { type FormEvent, useEffect, useRef, useState } from 'react';
import { askServer, ServerError } from '../../live/browser/ask-server';
import { MAX_NOTE_CHARACTERS, type Note } from '../../readings/note';
import { Notice } from '../card';
import { Button } from '../controls';

interface NoteFormProps {
  sensor: string;
  /** The time to show, in milliseconds since 1970. A new value replaces what the viewer has typed. */
  time: number;
  writeKey: string | null;
  onAdded(): void;
  onKeyRejected(): void;
  onCancel(): void;
}

const FIELD_LOOK = 'min-h-11 w-full min-w-0 rounded-md border border-muted bg-canvas px-3 text-ink';

/** The form for a new note: its text, its time, and the end of a span. */
export function NoteForm({ sensor, time, writeKey, onAdded, onKeyRejected, onCancel }: NoteFormProps) {
  const text = useRef<HTMLInputElement>(null);
  const from = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  useEffect(() => text.current?.focus(), []);
  useEffect(() => {
    if (from.current) from.current.value = fieldTime(time);
  }, [time]);

  async function handleSubmit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (isSending) return;
    const fields = new FormData(event.currentTarget);
    const body = {
      ...(sensor && { sensor }),
      text: String(fields.get('text')),
      from: sentTime(fields.get('from')),
      to: sentTime(fields.get('to')),
    };
    setSending(true);
    try {
      await askServer<Note>('/api/notes', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
        writeKey,
      });
      onAdded();
    } catch (error) {
      setSending(false);
      if (error instanceof ServerError && error.status === 401) onKeyRejected();
      else setProblem(reasonOf(error));
    }
  }

  return (
    <form aria-label="New note" onSubmit={handleSubmit} className="mb-4 grid max-w-2xl gap-3 sm:grid-cols-2">
      <label className="grid gap-1 sm:col-span-2">
        Note
        <input
          ref={text}
          name="text"
          required
          // In UTF-16 units, of which a character has at most two. The server counts characters.
          maxLength={2 * MAX_NOTE_CHARACTERS}
          placeholder="window, candles, six people"
          autoComplete="off"
          className={FIELD_LOOK}
        />
      </label>
      <label className="grid min-w-0 gap-1">
        Time
        <input
          ref={from}
          name="from"
          type="datetime-local"
          required
          defaultValue={fieldTime(time)}
          className={FIELD_LOOK}
        />
      </label>
      <label className="grid min-w-0 gap-1">
        End (optional)
        <input name="to" type="datetime-local" className={FIELD_LOOK} />
      </label>
      {problem && (
        <div className="sm:col-span-2">
          <Notice>{problem}</Notice>
        </div>
      )}
      <div className="flex gap-2 sm:col-span-2">
        <Button look="primary" type="submit">
          Save the note
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
}

function reasonOf(error: unknown): string {
  const { message, problem } = error instanceof ServerError ? error : { message: String(error) };
  const names: Record<string, string> = { text: 'The note', from: 'The time', to: 'The end' };
  const [first] = problem?.errors ?? [];
  return first ? `${names[first.field] ?? first.field} ${first.detail}.` : message;
}

/** Formats a time for a field of the type `datetime-local`, in the viewer's time zone to the minute. */
export function fieldTime(time: number): string {
  const minute = new Date(time);
  const pad = (number: number, digits = 2) => String(number).padStart(digits, '0');
  const date = [pad(minute.getFullYear(), 4), pad(minute.getMonth() + 1), pad(minute.getDate())].join('-');
  return `${date}T${pad(minute.getHours())}:${pad(minute.getMinutes())}`;
}

/** Returns a field's time in UTC; null for an empty field. */
function sentTime(value: FormDataEntryValue | null): string | null {
  const time = new Date(String(value ?? '')).getTime();
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
