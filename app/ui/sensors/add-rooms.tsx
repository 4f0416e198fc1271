import { Form, useLocation } from '@remix-run/react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { atBase } from '../../base-path';
import { useLive } from '../../live/browser/use-live';
import { MAX_SENSORS } from '../../readings/known-sensors';
import type { SensorSummary } from '../../readings/reading';
import { MOST_ROOMS, sensorLabel } from '../../readings/sensor';
import { Button } from '../controls';

interface AddRoomsProps {
  /** The sensors that the page knows. */
  sensors: readonly SensorSummary[];
  /** The rooms in the chart, in the order of the address. */
  shown: readonly string[];
  className?: string;
}

const SUMMARY_LOOK =
  'inline-flex min-h-9 cursor-pointer list-none items-center rounded-full border border-dashed border-muted/60 px-3 text-[0.8125rem] text-muted hover:border-accent hover:text-ink [&::-webkit-details-marker]:hidden';

/** A list with a search, to choose the rooms of the chart. Renders nothing if there is only one sensor. */
export function AddRooms({ sensors, shown, className = '' }: AddRoomsProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(false);
  // It may have been opened before the page could respond.
  useEffect(() => setOpen(details.current?.open ?? false), []);
  const close = () => details.current?.removeAttribute('open');
  useEffect(() => {
    if (!isOpen) return;
    const closeOutside = ({ target }: Event) => {
      if (!details.current?.contains(target as Node)) details.current?.removeAttribute('open');
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [isOpen]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    close();
    details.current?.querySelector('summary')?.focus();
  };
  if (sensors.length < 2 && shown.length < 2) return null;
  return (
    <details
      ref={details}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      onKeyDown={onKeyDown}
      className={`relative noscript:hidden ${className}`}
    >
      <summary className={SUMMARY_LOOK}>
        {shown.length < MOST_ROOMS ? '+ Add a room' : 'Choose rooms'}
      </summary>
      {isOpen && <RoomForm {...{ sensors, shown }} onDone={close} />}
    </details>
  );
}

/** More rows would make the list slow. The search finds the others. */
const MOST_ROWS = 100;

function RoomForm({ sensors: known, shown, onDone }: AddRoomsProps & { onDone(): void }) {
  const { pathname, search } = useLocation();
  const [chosen, choose] = useState(shown);
  const [text, setText] = useState('');
  // A page knows at most `MAX_SENSORS` sensors.
  const { answered } = useLive<SensorSummary[]>(
    known.length < MAX_SENSORS ? null : { address: '/api/sensors' },
  );
  const isFull = chosen.length >= MOST_ROOMS;
  const sought = text.trim().toLowerCase();
  const found = byName(answered?.answer ?? known, shown).filter(({ name, group = '' }) =>
    `${sensorLabel(name)} ${group}`.toLowerCase().includes(sought),
  );
  return (
    <Form
      action={pathname}
      preventScrollReset
      onSubmit={onDone}
      className="absolute left-0 z-20 mt-1 grid w-[min(22rem,calc(100vw-3.5rem))] gap-2 rounded-2xl border border-line bg-surface p-3 shadow-2xl"
    >
      <input
        type="search"
        aria-label="Find a room"
        placeholder="Find a room"
        value={text}
        onChange={({ target }) => setText(target.value)}
        className="min-h-11 w-full rounded-[0.625rem] border border-line bg-surface px-3 placeholder:text-muted"
      />
      <ul className="max-h-64 overflow-y-auto">
        {found.slice(0, MOST_ROWS).map(({ name, group }) => {
          const isChosen = chosen.includes(name);
          return (
            <li key={name}>
              <RoomBox
                {...{ name, group }}
                checked={isChosen}
                disabled={isFull && !isChosen}
                onChange={() => choose(isChosen ? chosen.filter((each) => each !== name) : [...chosen, name])}
              />
            </li>
          );
        })}
      </ul>
      {found.length === 0 && <p className="text-sm text-muted">No room has this name.</p>}
      {found.length > MOST_ROWS && (
        <p className="text-sm text-muted">{found.length - MOST_ROWS} more: type a part of the name.</p>
      )}
      {chosen.map((name) => (
        <input key={name} type="hidden" name="sensor" value={name} />
      ))}
      <OtherParameters search={search} />
      <div className="flex items-center justify-between gap-3">
        <p role="status" className="text-sm text-muted">
          {chosen.length} of at most {MOST_ROOMS}
        </p>
        <Button type="submit" look="primary" disabled={chosen.length === 0}>
          Show
        </Button>
      </div>
    </Form>
  );
}

/** The list as a form of the browser, for browsers without JavaScript. */
export function AddRoomsWithoutScript(props: AddRoomsProps) {
  // In the browser, React ignores the children of `noscript`, so the scripts don't render them.
  return <noscript>{import.meta.env.SSR && <RoomsForm {...props} />}</noscript>;
}

/** The form, only for the server, inside `noscript`. */
export function RoomsForm({ sensors, shown }: AddRoomsProps) {
  const { pathname, search } = useLocation();
  if (sensors.length < 2 && shown.length < 2) return null;
  return (
    <form action={atBase(pathname)} className="grid gap-2 rounded-2xl border border-line bg-surface p-4">
      <h2 className="font-semibold text-muted">Rooms to compare, {MOST_ROOMS} at most</h2>
      <ul>
        {byName(sensors, shown).map(({ name, group }) => (
          <li key={name}>
            <RoomBox {...{ name, group }} fieldName="sensor" defaultChecked={shown.includes(name)} />
          </li>
        ))}
      </ul>
      <OtherParameters search={search} />
      <Button type="submit" look="primary" className="justify-self-start">
        Show
      </Button>
    </form>
  );
}

interface RoomBoxProps {
  name: string;
  group?: string;
  fieldName?: string;
  checked?: boolean;
  defaultChecked?: boolean;
  disabled?: boolean;
  onChange?(): void;
}

function RoomBox({ name, group, fieldName, ...box }: RoomBoxProps) {
  return (
    <label className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-lg px-1.5 hover:bg-canvas">
      <input type="checkbox" name={fieldName} value={name} className="size-5 accent-accent" {...box} />
      <bdi className="min-w-0 wrap-anywhere">{sensorLabel(name)}</bdi>
      {group && <span className="min-w-0 truncate text-xs text-muted">{group}</span>}
    </label>
  );
}

/** The parameters that a chart of several rooms has no use for: an earlier time, and a number of readings. */
const LEFT_OUT = ['sensor', 'range', 'compare'];

/** The rest of the page's query, as fields of a form. */
function OtherParameters({ search }: { search: string }) {
  return [...new URLSearchParams(search)]
    .filter(([name]) => !LEFT_OUT.includes(name))
    .map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />);
}

/** Returns the sensors to choose from by name, with all shown ones and without hidden ones. */
function byName(sensors: readonly SensorSummary[], shown: readonly string[]) {
  const listed: Pick<SensorSummary, 'name' | 'group'>[] = sensors.filter(
    ({ name, is_hidden }) => shown.includes(name) || !is_hidden,
  );
  const missing = shown.filter((name) => !listed.some((each) => each.name === name));
  // Not `localeCompare`, whose order may differ between the server's and the viewer's language.
  return [...listed, ...missing.map((name) => ({ name, group: undefined }))].sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
}
