import { useNavigate } from '@remix-run/react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ServerError } from '../../live/browser/ask-server';
import { shownValue, storedValue } from '../../readings/format/format-value';
import type { Metric } from '../../readings/metric';
import { MAX_NOTE_CHARACTERS } from '../../readings/note';
import type { SensorSummary } from '../../readings/reading';
import { sensorLabel } from '../../readings/sensor';
import { MAX_NAME_CHARACTERS } from '../../readings/sensor-name.js';
import { MAX_GROUP_CHARACTERS, MOST_RAW_DAYS, membersOf, PLACES } from '../../readings/sensor-settings';
import { Card, Notice } from '../card';
import { Button } from '../controls';
import { useHydrated } from '../hydration';
import { LocalTime } from '../local-time';
import { NotFramed } from '../not-framed';
import { useMetrics, useServerThresholds } from '../page-contexts';
import { type WriteKey, WriteKeyForm } from '../posting/write-key';
import { withSensor } from '../sensors/sensor-address';
import { changeSensor, reasonOf } from './change-sensor';
import { CorrectionsCard, offeredMetrics } from './corrections-card';
import { FIELD_LOOK, Field, NUMBER_LOOK } from './field';

const TAKEN = 409;

/** The words for the members of thresholds, in their order. */
const MEMBER_WORDS: Record<string, string> = {
  good: 'good below',
  moderate: 'poor from',
  poor_below: 'poor below',
  from: 'good from',
  to: 'good to',
  poor_from: 'poor from',
};

interface SensorSettingsCardProps {
  summary: SensorSummary;
  isKeyNeeded: boolean;
  writeKey: WriteKey;
}

/** The forms for a sensor's name and settings, and for its corrections. */
export function SensorSettingsCard({ summary, isKeyNeeded, writeKey }: SensorSettingsCardProps) {
  const { name: sensor } = summary;
  const { key, isKeyRejected, rememberKey, rejectKey } = writeKey;
  const metrics = useMetrics();
  const server = useServerThresholds();
  const navigate = useNavigate();
  const isHydrated = useHydrated();
  const [outcome, setOutcome] = useState<ReactNode>(null);
  /** True if another sensor has the new name. */
  const [canMerge, setMerge] = useState(false);
  const [isSending, setSending] = useState(false);
  const own = Object.keys(summary.thresholds ?? {});
  const levelled = offeredMetrics(summary.newest, own, metrics).filter((metric) => membersOf(metric));

  async function save(form: HTMLFormElement, isMerge: boolean): Promise<void> {
    setSending(true);
    setMerge(false);
    setOutcome(null);
    const body = changeIn(new FormData(form), levelled);
    try {
      const { name } = await changeSensor(sensor, body, { writeKey: key, isMerge });
      setOutcome(<p role="status">Saved.</p>);
      navigate({ search: withSensor('', name) }, { replace: true, preventScrollReset: true });
    } catch (error) {
      if (error instanceof ServerError && error.status === 401) rejectKey();
      else setOutcome(<Notice>Nothing was changed. {reasonOf(error)}</Notice>);
      setMerge(!isMerge && error instanceof ServerError && error.status === TAKEN);
    } finally {
      setSending(false);
    }
  }

  if (isKeyNeeded && !key)
    return (
      <WriteKeyForm
        title={`Sensor: ${sensorLabel(sensor)}`}
        purpose="change sensors on this server"
        isRejected={isKeyRejected}
        consequence="Nothing was changed."
        onKey={rememberKey}
      />
    );
  const {
    group = '',
    place = 'indoors',
    note = '',
    is_hidden,
    thresholds = {},
    silent_after_seconds,
    raw_days,
  } = summary;
  return (
    <>
      <Card
        title="Sensor"
        sensor={sensorLabel(sensor)}
        aside={
          <span className="text-sm text-muted">
            Readings from <LocalTime time={summary.first_heard} /> to <LocalTime time={summary.last_heard} />
          </span>
        }
      >
        <NotFramed>
          <form
            aria-label="Settings"
            className="grid gap-4 noscript:hidden"
            onSubmit={(event: FormEvent<HTMLFormElement>) => {
              event.preventDefault();
              if (!isSending) save(event.currentTarget, false);
            }}
          >
            <Field label="Name">
              <input
                name="name"
                defaultValue={sensor}
                maxLength={2 * MAX_NAME_CHARACTERS}
                className={FIELD_LOOK}
              />
            </Field>
            <Field label="Group">
              <input
                name="group"
                defaultValue={group}
                maxLength={2 * MAX_GROUP_CHARACTERS}
                placeholder="School/Floor 2"
                className={FIELD_LOOK}
              />
            </Field>
            <Field label="Place">
              <select name="place" defaultValue={place} className={FIELD_LOOK}>
                {PLACES.map((each) => (
                  <option key={each}>{each}</option>
                ))}
              </select>
            </Field>
            <Field label="Note">
              <input
                name="note"
                defaultValue={note}
                maxLength={2 * MAX_NOTE_CHARACTERS}
                className={FIELD_LOOK}
              />
            </Field>
            {levelled.map((metric) => {
              const own: Record<string, number | undefined> = { ...thresholds[metric.field] };
              const usual: Record<string, number | undefined> = { ...server[metric.field] };
              return (
                <fieldset key={metric.field} className="grid gap-1 sm:grid-cols-[13rem_1fr] sm:items-center">
                  <legend className="float-left text-sm text-muted">
                    {metric.name}
                    {metric.unit && `, ${metric.unit}`}
                  </legend>
                  <div className="flex flex-wrap gap-x-4 gap-y-2">
                    {membersOf(metric)?.map((member) => (
                      <label key={member} className="flex items-center gap-2 text-sm text-muted">
                        {MEMBER_WORDS[member]}
                        <input
                          name={`${metric.field} ${member}`}
                          type="number"
                          step="any"
                          defaultValue={own[member] === undefined ? '' : shownValue(metric, own[member])}
                          placeholder={usual[member]?.toString()}
                          className={NUMBER_LOOK}
                        />
                      </label>
                    ))}
                  </div>
                </fieldset>
              );
            })}
            <Field label="Silent after, in seconds">
              <input
                name="silent_after_seconds"
                type="number"
                min={1}
                step="any"
                defaultValue={silent_after_seconds ?? ''}
                className={NUMBER_LOOK}
              />
            </Field>
            <Field label="Keep raw readings, in days (0: all)">
              <input
                name="raw_days"
                type="number"
                min={0}
                max={MOST_RAW_DAYS}
                defaultValue={raw_days ?? ''}
                className={NUMBER_LOOK}
              />
            </Field>
            <Field label="Hidden from lists">
              <input
                name="is_hidden"
                type="checkbox"
                defaultChecked={is_hidden}
                className="size-5 accent-accent"
              />
            </Field>
            <div aria-live="polite">{outcome}</div>
            <div className="flex flex-wrap gap-3">
              <Button look="primary" type="submit" disabled={!isHydrated || isSending}>
                Save
              </Button>
              {canMerge && (
                <Button
                  disabled={isSending}
                  onClick={({ currentTarget: { form } }) => form && save(form, true)}
                >
                  Merge with that sensor
                </Button>
              )}
            </div>
          </form>
        </NotFramed>
      </Card>
      <CorrectionsCard {...{ summary }} writeKey={key} onKeyRejected={rejectKey} />
    </>
  );
}

/** Returns the body of the change that a form describes. Empty numbers restore those of the server. */
function changeIn(fields: FormData, levelled: readonly Metric[]) {
  const textOf = (name: string) => String(fields.get(name) ?? '').trim();
  const numberOf = (name: string) => (textOf(name) === '' ? null : Number(textOf(name)));
  const thresholds = levelled.map((metric) => {
    const limits = (membersOf(metric) ?? []).flatMap((member) => {
      const value = numberOf(`${metric.field} ${member}`);
      return value === null ? [] : [[member, storedValue(metric, value)] as const];
    });
    return [metric.field, limits.length > 0 ? Object.fromEntries(limits) : null] as const;
  });
  return {
    name: textOf('name'),
    group: textOf('group'),
    place: textOf('place'),
    note: textOf('note'),
    is_hidden: fields.get('is_hidden') !== null,
    silent_after_seconds: numberOf('silent_after_seconds'),
    raw_days: numberOf('raw_days'),
    thresholds: Object.fromEntries(thresholds),
  };
}
