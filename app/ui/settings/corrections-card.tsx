import { useNavigate } from '@remix-run/react';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { ServerError } from '../../live/browser/ask-server';
import type { Correction } from '../../readings/correction';
import { isCore, type Metric } from '../../readings/metric';
import type { Reading, SensorSummary } from '../../readings/reading';
import { Card, Notice } from '../card';
import { Button } from '../controls';
import { useHydrated } from '../hydration';
import { LocalTime } from '../local-time';
import { NotFramed } from '../not-framed';
import { useMetrics } from '../page-contexts';
import { amountText, storedAmount } from '../sensors/correction-text';
import { withSensor } from '../sensors/sensor-address';
import { changeSensor, reasonOf } from './change-sensor';
import { FIELD_LOOK, Field, NUMBER_LOOK } from './field';

/** The interval at which the page looks if stored readings are corrected. */
const RECOMPUTING_MS = 1000;

interface CorrectionsCardProps {
  summary: SensorSummary;
  writeKey: string | null | undefined;
  onKeyRejected(): void;
}

/** A sensor's corrections, each with a button to remove it, and a form to add one. */
export function CorrectionsCard({ summary, writeKey, onKeyRejected }: CorrectionsCardProps) {
  const { name: sensor, corrections = [], is_recomputing, newest } = summary;
  const metrics = useMetrics();
  const navigate = useNavigate();
  const isHydrated = useHydrated();
  const [failure, setFailure] = useState<ReactNode>(null);
  const [isSending, setSending] = useState(false);
  const choices = offeredMetrics(
    newest,
    corrections.map(({ metric }) => metric),
    metrics,
  );

  const reload = () =>
    navigate({ search: withSensor('', sensor) }, { replace: true, preventScrollReset: true });

  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer of the server starts it again.
  useEffect(() => {
    if (!is_recomputing) return;
    const timer = setTimeout(reload, RECOMPUTING_MS);
    return () => clearTimeout(timer);
  }, [summary]);

  async function save(next: readonly Correction[], form?: HTMLFormElement): Promise<void> {
    setSending(true);
    setFailure(null);
    try {
      await changeSensor(sensor, { corrections: next }, { writeKey });
      form?.reset();
      reload();
    } catch (error) {
      if (error instanceof ServerError && error.status === 401) onKeyRejected();
      else setFailure(<Notice>Nothing was changed. {reasonOf(error)}</Notice>);
    } finally {
      setSending(false);
    }
  }

  return (
    <Card title="Corrections" needsScript>
      <p className="mb-3 text-sm text-pretty text-muted">
        A value is shown, judged and exported as factor × measured + offset, from a time on until the next
        correction of the metric. The measured values stay stored.
      </p>
      {corrections.length > 0 && (
        <ul aria-label="Corrections" className="mb-3 grid gap-1">
          {corrections.map((one) => (
            <li
              key={`${one.metric} ${one.from}`}
              className="flex min-h-11 flex-wrap items-center gap-x-3 border-t border-line first:border-0"
            >
              <span className="flex-1">
                {textOf(one, metrics)} from <LocalTime time={one.from} /> on
              </span>
              <NotFramed>
                <Button
                  look="quiet"
                  disabled={!isHydrated || isSending}
                  onClick={() => save(corrections.filter((other) => other !== one))}
                >
                  Remove
                </Button>
              </NotFramed>
            </li>
          ))}
        </ul>
      )}
      <p role="status" className="text-sm text-muted">
        {is_recomputing && 'Earlier readings are being recomputed.'}
      </p>
      <NotFramed>
        <form
          aria-label="New correction"
          className="grid gap-4"
          onSubmit={(event: FormEvent<HTMLFormElement>) => {
            event.preventDefault();
            const form = event.currentTarget;
            const added = correctionIn(new FormData(form), choices, summary.first_heard);
            if (added && !isSending) save([...corrections, added], form);
          }}
        >
          <Field label="Metric">
            <select name="metric" className={FIELD_LOOK}>
              {choices.map(({ field, name, unit }) => (
                <option key={field} value={field}>
                  {name}
                  {unit && `, ${unit}`}
                </option>
              ))}
            </select>
          </Field>
          <Field label="Offset">
            <input name="offset" type="number" step="any" placeholder="0" className={NUMBER_LOOK} />
          </Field>
          <Field label="Factor">
            <input name="factor" type="number" step="any" placeholder="1" className={NUMBER_LOOK} />
          </Field>
          <Field label="From; empty for the first reading">
            <input name="from" type="datetime-local" step="1" className={FIELD_LOOK} />
          </Field>
          <div aria-live="polite">{failure}</div>
          <Button
            look="primary"
            type="submit"
            disabled={!isHydrated || isSending}
            className="justify-self-start"
          >
            Add
          </Button>
        </form>
      </NotFramed>
    </Card>
  );
}

/** Returns the metrics that a sensor's settings offer: CO2, VOC, those of its newest reading, and those with a setting. */
export function offeredMetrics(
  newest: Reading,
  set: readonly string[],
  metrics: readonly Metric[],
): readonly Metric[] {
  return metrics.filter(
    ({ field }) => isCore(field) || (newest[field] ?? null) !== null || set.includes(field),
  );
}

function textOf(correction: Correction, metrics: readonly Metric[]): string {
  const metric = metrics.find(({ field }) => field === correction.metric);
  return metric ? `${metric.name} ${amountText(metric, correction)}` : correction.metric;
}

/** Returns the correction in a form. @param first the time of the sensor's first reading */
function correctionIn(fields: FormData, metrics: readonly Metric[], first: string): Correction | null {
  const textOf = (name: string) => String(fields.get(name) ?? '').trim();
  const metric = metrics.find(({ field }) => field === textOf('metric'));
  if (!metric) return null;
  const amount = { offset: Number(textOf('offset') || 0), factor: Number(textOf('factor') || 1) };
  const from = textOf('from') === '' ? first : new Date(textOf('from')).toISOString();
  return { metric: metric.field, ...storedAmount(metric, amount), from };
}
