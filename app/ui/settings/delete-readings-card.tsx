import { useLocation, useRevalidator } from '@remix-run/react';
import { type ReactNode, useMemo, useState } from 'react';
import { askServer, ServerError } from '../../live/browser/ask-server';
import { useLive } from '../../live/browser/use-live';
import { counted } from '../../readings/format/counted.js';
import type { HistoryAnswer } from '../../readings/history/history-answer';
import { measuredMetrics } from '../../readings/metric';
import type { SensorSummary } from '../../readings/reading';
import { sensorLabel } from '../../readings/sensor';
import { Card, Notice } from '../card';
import { Button } from '../controls';
import { useHydrated } from '../hydration';
import { LocalTime } from '../local-time';
import { NotFramed } from '../not-framed';
import { fieldTime } from '../notes/note-form';
import { useMetrics } from '../page-contexts';
import { type WriteKey, WriteKeyForm } from '../posting/write-key';
import { RoomLine } from '../rooms/room-tile';

const FIELD_LOOK = 'min-h-11 w-full min-w-0 max-w-md rounded-md border border-muted bg-canvas px-3 text-ink';

/** The points of the small chart. */
const POINTS = 120;

interface DeleteReadingsCardProps {
  sensor: string;
  /** Undefined if the sensor has no readings, which may be kept after a deletion. */
  summary?: SensorSummary;
  isKeyNeeded: boolean;
  writeKey: WriteKey;
}

/** A deletion that can be undone, as `/api/restore` lists it. */
interface KeptDeletion {
  restore: string;
  deleted: number;
  from: string;
  to: string;
  until: string;
}

/** Deletes a span of a sensor's readings, or all of them, and brings them back. The address may name the span. */
export function DeleteReadingsCard({ sensor, summary, isKeyNeeded, writeKey }: DeleteReadingsCardProps) {
  const { key, isKeyRejected, rememberKey, rejectKey } = writeKey;
  const { revalidate } = useRevalidator();
  const [outcome, setOutcome] = useState<ReactNode>(null);
  const [isSending, setSending] = useState(false);
  const { answered, again } = useLive<KeptDeletion[]>({
    address: `/api/restore?${new URLSearchParams({ sensor })}`,
  });
  const kept = answered?.answer ?? [];

  /** Sends a change, and shows the text about its answer. */
  async function send<T>(method: string, address: string, textOf: (answer: T) => string): Promise<void> {
    setSending(true);
    setOutcome(null);
    try {
      const { value } = await askServer<T>(address, { method, writeKey: key, timeoutMs: CHANGE_TIMEOUT_MS });
      setOutcome(<p role="status">{textOf(value)}</p>);
    } catch (error) {
      if (error instanceof ServerError && error.status === 401) rejectKey();
      else setOutcome(<Notice>{(error as Error).message}</Notice>);
    } finally {
      setSending(false);
      again(0);
      revalidate();
    }
  }

  if (!summary && kept.length === 0) return null;
  if (isKeyNeeded && !key)
    // The form for settings asks for the key of both.
    return summary ? null : (
      <WriteKeyForm
        title="Deleted readings"
        purpose="bring readings back on this server"
        isRejected={isKeyRejected}
        consequence="Nothing was changed."
        onKey={rememberKey}
      />
    );
  return (
    <Card title="Delete readings" sensor={sensorLabel(sensor)} needsScript>
      <NotFramed>
        <div className="grid gap-4" id="delete">
          {summary && (
            <SpanForm
              summary={summary}
              isSending={isSending}
              onDelete={(span) =>
                send<{ deleted: number }>(
                  'DELETE',
                  `/api/data?${new URLSearchParams({ sensor, ...span })}`,
                  ({ deleted }) => `${counted(deleted, 'reading')} deleted.`,
                )
              }
            />
          )}
          <div aria-live="polite">{outcome}</div>
          {kept.length > 0 && (
            <ul aria-label="Deleted readings" className="grid gap-1">
              {kept.map(({ restore, deleted, from, to, until }) => (
                <li
                  key={restore}
                  className="flex min-h-11 flex-wrap items-center gap-x-3 border-t border-line first:border-0"
                >
                  <span className="min-w-0 flex-1 basis-60">
                    {counted(deleted, 'deleted reading')}, <LocalTime time={from} />
                    {to !== from && (
                      <>
                        {' '}
                        to <LocalTime time={to} />
                      </>
                    )}
                    <span className="text-sm text-muted">
                      {' '}
                      (kept until <LocalTime time={until} />)
                    </span>
                  </span>
                  <Button
                    disabled={isSending}
                    onClick={() =>
                      send<{ restored: number; conflicts?: number }>(
                        'POST',
                        `/api/restore?id=${restore}`,
                        restoredText,
                      )
                    }
                  >
                    Bring back
                  </Button>
                </li>
              ))}
            </ul>
          )}
        </div>
      </NotFramed>
    </Card>
  );
}

/** A deletion of millions of readings takes minutes. */
const CHANGE_TIMEOUT_MS = 600_000;

function restoredText({ restored, conflicts = 0 }: { restored: number; conflicts?: number }): string {
  const stay = conflicts > 0 ? ` ${conflicts} stay deleted: the sensor has others at their times.` : '';
  return `${counted(restored, 'reading')} back.${stay}`;
}

/** A span to delete; without its times, it is open. */
interface ChosenSpan {
  from?: string;
  to?: string;
}

interface SpanFormProps {
  summary: SensorSummary;
  isSending: boolean;
  onDelete(span: ChosenSpan): void;
}

/** The fields for a span, the number of its readings with a small chart, and the button that deletes them. */
function SpanForm({ summary, isSending, onDelete }: SpanFormProps) {
  const { search } = useLocation();
  const [span, setSpan] = useState<ChosenSpan>(() => spanIn(search));
  const [isAsking, setAsking] = useState(false);
  const isHydrated = useHydrated();
  const count = useSpanCount(summary, span);
  const change = (name: keyof ChosenSpan) => (text: string) => {
    const time = new Date(text).getTime();
    setAsking(false);
    setSpan({ ...span, [name]: Number.isNaN(time) ? undefined : new Date(time).toISOString() });
  };
  return (
    <form
      aria-label="Readings to delete"
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (isAsking) onDelete(withoutOpenEnds(span));
        setAsking(!isAsking);
      }}
    >
      {(['from', 'to'] as const).map((name) => (
        <label key={name} className="grid gap-1 sm:grid-cols-[13rem_1fr] sm:items-center">
          <span className="text-sm text-muted">
            {name === 'from' ? 'From (empty for the first)' : 'To (empty for the last)'}
          </span>
          <input
            type="datetime-local"
            step={1}
            // The server doesn't know the time zone.
            value={isHydrated && span[name] ? fieldSecond(span[name]) : ''}
            onChange={({ target }) => change(name)(target.value)}
            className={FIELD_LOOK}
          />
        </label>
      ))}
      <div className="max-w-md text-muted">
        {count ? (
          <>
            <p role="status">{counted(count.readings, 'reading')} in this time.</p>
            <RoomLine line={count.line} last={null} />
          </>
        ) : (
          'Counting…'
        )}
      </div>
      <Button
        type="submit"
        disabled={isSending || !count || count.readings === 0}
        onBlur={() => setAsking(false)}
        className={`justify-self-start px-4 ${isAsking ? 'text-poor-ink' : ''}`}
      >
        {isAsking && count
          ? `Press again to delete ${counted(count.readings, 'reading')}`
          : 'Delete these readings'}
      </Button>
    </form>
  );
}

function spanIn(search: string): ChosenSpan {
  const query = new URLSearchParams(search);
  const timeIn = (name: string) => {
    const text = query.get(name);
    return text && !Number.isNaN(Date.parse(text)) ? text : undefined;
  };
  return { from: timeIn('from'), to: timeIn('to') };
}

/** Formats a time for a field, in the viewer's time zone to the second. */
function fieldSecond(time: string): string {
  const ms = Date.parse(time);
  return `${fieldTime(ms)}:${String(new Date(ms).getSeconds()).padStart(2, '0')}`;
}

/** Leaves out the ends without a time, which `URLSearchParams` would send as text. */
const withoutOpenEnds = ({ from, to }: ChosenSpan): Record<string, string> => ({
  ...(from && { from }),
  ...(to && { to }),
});

/** Returns the number of readings in a span, and the averages of its first metric for a small chart; null until they are known. */
function useSpanCount(summary: SensorSummary, { from, to }: ChosenSpan) {
  const metrics = useMetrics();
  const { name: sensor, first_heard, last_heard } = summary;
  const begin = Date.parse(from ?? first_heard);
  // The end is exclusive.
  const end = to ? Date.parse(to) : Date.parse(last_heard) + 1000;
  const question = useMemo(() => {
    if (begin >= end) return null;
    const [from, to] = [begin, end].map((time) => new Date(time).toISOString());
    return String(new URLSearchParams({ sensor, from: from ?? '', to: to ?? '' }));
  }, [sensor, begin, end]);
  const count = useLive<{ readings: number }>(
    question === null ? null : { address: `/api/summary?${question}` },
  );
  const history = useLive<HistoryAnswer>(
    question === null ? null : { address: `/api/history?${question}&points=${POINTS}` },
  );
  if (question === null) return { readings: 0, line: [] };
  if (!count.answered?.question.address.endsWith(question)) return null;
  const { steps = [], step_seconds = 1 } = history.answered?.answer ?? {};
  const [metric] = measuredMetrics(steps, metrics);
  const averages = new Map(
    steps.map((step) => [Date.parse(step.start), (metric && step[metric.field]?.average) ?? null]),
  );
  const stepMs = step_seconds * 1000;
  const line: (number | null)[] = [];
  if (steps.length > 0)
    for (let time = Math.floor(begin / stepMs) * stepMs; time < end; time += stepMs)
      line.push(averages.get(time) ?? null);
  return { readings: count.answered.answer.readings, line };
}
