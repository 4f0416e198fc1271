import { useLocation } from '@remix-run/react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { atBase } from '../../base-path';
import { askResponse } from '../../live/browser/ask-server';
import type { Note } from '../../readings/note';
import type { Span } from '../../readings/time/history-span';
import { clockTime, withEnglishDays } from '../../readings/time/local-time';
import { Card, Notice } from '../card';
import { Button } from '../controls';
import { NotFramed, useFramed } from '../not-framed';
import { useWriteKey, WriteKeyForm } from '../posting/write-key';
import { NoteForm } from './note-form';
import { ADD_NOTE, notesAddress, noteTime, type ShownNotes } from './use-notes';

interface NotesCardProps extends ShownNotes {
  sensor: string;
  span: Span;
  /** The time that the viewer chose in the chart, in milliseconds since 1970. */
  chosen: number | null;
  now: number;
  isKeyNeeded: boolean;
  /** Further controls beside the button for a new note. */
  aside?: ReactNode;
}

/** The notes of a span, with a form for a new one. */
export function NotesCard({ sensor, span, chosen, now, isKeyNeeded, aside, ...shown }: NotesCardProps) {
  const { notes, problem, hasLoaded, reload } = shown;
  const { key, isKeyRejected, rememberKey, rejectKey } = useWriteKey(isKeyNeeded);
  const [isOpen, setOpen] = useState(false);
  /** True after the viewer has tried to delete a note without a key. */
  const [isKeyWanted, setKeyWanted] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const { hash, key: visit } = useLocation();
  const button = useRef<HTMLButtonElement>(null);
  const isKeyMissing = isKeyNeeded && !key;
  const isFramed = useFramed();

  // biome-ignore lint/correctness/useExhaustiveDependencies: following the link again reopens the form.
  useEffect(() => {
    if (hash === ADD_NOTE && !isFramed) setOpen(true);
  }, [hash, visit, isFramed]);

  function close(): void {
    setOpen(false);
    button.current?.focus();
  }

  async function remove(note: Note): Promise<void> {
    if (isKeyMissing) return setKeyWanted(true);
    setFailure(null);
    try {
      const response = await askResponse(`/api/notes?id=${note.id}`, { method: 'DELETE', writeKey: key });
      if (response.status === 401) {
        rejectKey();
        return setKeyWanted(true);
      }
      // A 404 means that somebody else has deleted the note.
      if (!response.ok && response.status !== 404) {
        const { detail } = await response.json().catch(() => ({ detail: response.statusText }));
        throw new Error(detail);
      }
      reload();
      button.current?.focus();
    } catch (error) {
      setFailure(`The note wasn't deleted. ${(error as Error).message}`);
    }
  }

  if (!isFramed && isKeyMissing && (isOpen || isKeyWanted))
    return (
      <WriteKeyForm
        title="Notes"
        purpose="add and delete notes on this server"
        isRejected={isKeyRejected}
        consequence="Nothing was changed."
        onKey={(entered) => {
          rememberKey(entered);
          setKeyWanted(false);
        }}
      />
    );
  const inSpan = notes.filter(
    ({ from, to }) => Date.parse(to ?? from) >= span.from && Date.parse(from) < span.to,
  );
  return (
    <Card
      title="Notes"
      needsScript
      aside={
        <div className="-mr-2 ml-auto flex items-center">
          {inSpan.length > 0 && (
            <a
              href={atBase(notesAddress(sensor, span.from, span.to, 'csv'))}
              download
              aria-label="Download the notes as CSV"
              className="flex min-h-10 items-center px-2 text-sm font-medium text-muted hover:text-ink"
            >
              CSV
            </a>
          )}
          <NotFramed>
            {aside}
            <button
              ref={button}
              type="button"
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
              className="min-h-10 cursor-pointer rounded-[0.625rem] px-2 text-sm font-medium text-muted hover:bg-canvas hover:text-ink"
            >
              Add a note
            </button>
          </NotFramed>
        </div>
      }
    >
      {isOpen && !isFramed && (
        <NoteForm
          sensor={sensor}
          time={chosen ?? timeIn(span, now)}
          writeKey={key ?? null}
          onKeyRejected={rejectKey}
          onCancel={close}
          onAdded={() => {
            reload();
            close();
          }}
        />
      )}
      {failure && <Notice>{failure}</Notice>}
      {problem && (
        <p role="status" className="text-muted">
          Can't load the notes yet. {problem} Trying again…
        </p>
      )}
      {inSpan.length > 0 ? (
        <ul className="grid gap-1">
          {inSpan.map((note) => (
            <NoteRow key={note.id} note={note} now={now} onDelete={() => remove(note)} />
          ))}
        </ul>
      ) : (
        <p className="text-sm text-muted">
          {hasLoaded &&
            !problem &&
            'No notes in this span. A note says what happened, such as “window” or “six people”.'}
        </p>
      )}
    </Card>
  );
}

/** Returns now if the span contains it, else the middle of the span, but never a future time. */
function timeIn({ from, to }: Span, now: number): number {
  return from <= now && now < to ? now : Math.min((from + to) / 2, now);
}

const TO_MINUTE = withEnglishDays(clockTime);

function NoteRow({ note, now, onDelete }: { note: Note; now: number; onDelete(): void }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-3 border-t border-line first:border-0">
      <span className="text-sm whitespace-nowrap text-muted">{noteTime(note, new Date(now), TO_MINUTE)}</span>
      <span className="min-w-0 flex-1 basis-40 wrap-anywhere">
        <bdi>{note.text}</bdi>
      </span>
      <NotFramed>
        <Button
          look="quiet"
          aria-label={isAsking ? undefined : `Delete ${note.text}`}
          onClick={() => (isAsking ? onDelete() : setAsking(true))}
          onBlur={() => setAsking(false)}
          className={isAsking ? 'text-poor-ink' : ''}
        >
          {isAsking ? 'Press again to delete' : 'Delete'}
        </Button>
      </NotFramed>
    </li>
  );
}
