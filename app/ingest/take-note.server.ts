/** Stores and removes notes, as `/api/notes` asks. */
import { CLOCK_RETRY_SECONDS, clockFault } from '../config/clock.server';
import { type ApiRequest, type Refusal, refusalOf, type WriteAnswer } from '../http/answer';
import type { FieldError } from '../readings/field-error';
import { type Note, type NoteInput, noteTextFault } from '../readings/note';
import { compareTimes, UNNAMED } from '../readings/reading';
import { timeBefore } from '../readings/time/reading-time';
import { type ReadingStore, StoreUnavailableError } from '../store/reading-store';
import { isObject } from './devices';
import { memberOf, parseSensor, parseSentTime } from './parse-reading.server';
import { takeRoom } from './post-rate.server';
import { BodyMemory, receiveItem } from './receive-body.server';

type NoteRequest = Pick<ApiRequest, 'header' | 'address' | 'body'>;
type Notes = ReadingStore['notes'];

/** A note as it was sent. Without `from` it is about the moment when it arrives. */
type SentNote = Omit<NoteInput, 'from'> & { from?: string };

type ParsedNote = { ok: true; note: SentNote } | { ok: false; errors: FieldError[] };

const NOT_A_NOTE: Refusal = {
  status: 400,
  detail: 'The body is not a JSON object. Send {"text": "window"}, one note at a time.',
};

/** Stores the note of a post. The same note with the same `from` isn't stored twice. Call `refuseWrite` first. */
export async function takeNote(notes: Notes, request: NoteRequest): Promise<WriteAnswer> {
  const memory = new BodyMemory(request);
  try {
    const received = await receiveItem(request, memory);
    if (!received.ok) {
      return received.status === 413
        ? { ...received, detail: 'The body is over 16 KiB. Send one note at a time.' }
        : received;
    }
    return await storeNote(notes, request, jsonOf(received.text));
  } finally {
    memory.release();
  }
}

/** Returns null for text that isn't JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Answers 201 with the stored note, or 200 with an equal note that was stored before. */
async function storeNote(notes: Notes, { address }: NoteRequest, value: unknown): Promise<WriteAnswer> {
  if (!isObject(value) || Array.isArray(value)) return { ok: false, ...NOT_A_NOTE };
  const parsed = parseNote(value, Date.now());
  if (!parsed.ok) {
    return { ok: false, status: 400, detail: 'The note is invalid.', errors: parsed.errors };
  }
  const fault = parsed.note.from === undefined ? clockFault() : null;
  if (fault) return { ok: false, ...refusalOf(new StoreUnavailableError(fault, CLOCK_RETRY_SECONDS)) };
  const { from = new Date().toISOString(), ...rest } = parsed.note;
  const note = { ...rest, from };
  try {
    const stored = parsed.note.from === undefined ? undefined : await findNote(notes, note);
    if (stored) return { ok: true, status: 200, value: stored };
    const room = takeRoom(address());
    if (!room.ok) return room;
    return { ok: true, status: 201, value: await notes.add(note) };
  } catch (error) {
    const isUnknown = error instanceof StoreUnavailableError && error.mayBeStored;
    const mayBeStored = (isUnknown && parsed.note.from === undefined) || undefined;
    return { ok: false, ...refusalOf(error), mayBeStored };
  }
}

/** Returns the stored note with the same sensor, times and text. */
async function findNote(notes: Notes, { sensor, from, to, text }: NoteInput): Promise<Note | undefined> {
  // `to` is exclusive.
  const near = await notes.list({ sensor, from, to: timeBefore(from, -1) });
  return near.find((note) => note.from === from && note.to === to && note.text === text);
}

/** Parses a JSON object as a note, with an error for each invalid field. Ignores other members. */
function parseNote(sent: object, now: number): ParsedNote {
  const errors: FieldError[] = [];
  const rejectAs = (field: string) => (detail: string) => void errors.push({ field, detail });
  const sensor = parseSensor(memberOf(sent, 'sensor'), rejectAs('sensor')) ?? UNNAMED;
  const from = parseSentTime(memberOf(sent, 'from'), rejectAs('from'), now);
  const to = parseSentTime(memberOf(sent, 'to'), rejectAs('to'), now) ?? null;
  const text = parseText(memberOf(sent, 'text'), rejectAs('text'));
  const begin = from ?? new Date(now).toISOString();
  if (errors.length === 0 && to !== null && compareTimes(to, begin) <= 0) {
    rejectAs('to')(
      `is ${to}, and from is ${begin}: send a later time, or leave it out if the note is about one moment`,
    );
  }
  return errors.length > 0 ? { ok: false, errors } : { ok: true, note: { sensor, from, to, text } };
}

function parseText(sent: unknown, reject: (detail: string) => void): string {
  if (typeof sent !== 'string') {
    reject(
      sent === undefined || sent === null
        ? 'is missing: send what happened, such as "window"'
        : 'must be text',
    );
    return '';
  }
  const text = sent.trim();
  const fault = noteTextFault(text);
  if (fault !== null) reject(fault);
  return text;
}

/** Removes the note with the id in `text`. Answers 204. */
export async function removeNote(notes: Notes, text: string | null): Promise<WriteAnswer> {
  if (text === null || !/^[1-9]\d{0,14}$/.test(text)) {
    const detail = text === null ? 'is missing: send the number of a note' : 'must be the number of a note';
    return { ok: false, status: 400, detail: 'The query is invalid.', errors: [{ field: 'id', detail }] };
  }
  try {
    return (await notes.remove(Number(text)))
      ? { ok: true, status: 204, value: null }
      : { ok: false, status: 404, detail: `There is no note ${text}.` };
  } catch (error) {
    return { ok: false, ...refusalOf(error) };
  }
}
