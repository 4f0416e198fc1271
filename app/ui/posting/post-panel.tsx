import { type FormEvent, useEffect, useState } from 'react';
import type { Metric } from '../../readings/metric';
import { Card, Notice } from '../card';
import { Button, Switch } from '../controls';
import { useHydrated, useNow } from '../hydration';
import { formatTimeOfDay } from '../local-time';
import { useMetrics } from '../page-contexts';
import { RandomElsewhere, randomReading } from './random-data-button';
import { SubmissionResult, type SubmitReading, type SubmittedValues, useSubmission } from './submission';

interface PostPanelProps {
  submit: SubmitReading;
  sensor: string | null;
  /** True if the page shows the unnamed sensor. Random readings are offered only for it. */
  isUnnamed: boolean;
  /** False on a real installation; the panel then only has the form. */
  offersRandomPosts: boolean;
  /** True if a device has recently posted without a sensor name. */
  hasDevicePosted: boolean;
  /** The metrics to ask for, in stored units. */
  metrics: readonly Metric[];
}

export function PostPanel({
  submit,
  sensor,
  isUnnamed,
  offersRandomPosts,
  hasDevicePosted,
  metrics,
}: PostPanelProps) {
  return (
    <Card title="Post data" sensor={sensor} needsScript aside={<LocalClock />}>
      <div className="grid gap-6">
        <ReadingForm submit={submit} metrics={metrics} />
        {offersRandomPosts && !isUnnamed && (
          <div className="border-t border-line pt-6">
            <RandomElsewhere />
          </div>
        )}
        {offersRandomPosts && isUnnamed && (
          <>
            <CounterButton submit={submit} />
            <AutoPoster submit={submit} hasDevicePosted={hasDevicePosted} />
          </>
        )}
      </div>
    </Card>
  );
}

function LocalClock() {
  const now = useNow();
  return (
    <p className="text-lg font-semibold">
      <span className="sr-only">Local time: </span>
      {/* A fixed width, so that the title beside it doesn't wrap differently once the time appears. */}
      <span data-testid="clock" className="inline-block min-w-[8ch] text-right">
        {now === null ? '\u00a0' : formatTimeOfDay(new Date(now))}
      </span>
    </p>
  );
}

/** A form that submits the typed text unchanged, without empty fields, and keeps it. The server validates the text. */
function ReadingForm({ submit, metrics }: Pick<PostPanelProps, 'submit' | 'metrics'>) {
  const isHydrated = useHydrated();
  const { submission, send, isSending } = useSubmission(submit);
  const [isEmpty, setEmpty] = useState(false);
  const errors = submission?.kind === 'rejected' && !isEmpty ? submission.errors : [];

  function handleSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    // Ignore a second click before the response, which would store the reading twice.
    if (isSending()) return;
    const values = typedValues(new FormData(event.currentTarget), metrics);
    const hasValues = Object.keys(values).length > 0;
    setEmpty(!hasValues);
    if (hasValues) send(values);
  }

  return (
    <form onSubmit={handleSubmit} noValidate className="grid gap-3">
      <div className={`grid gap-3 sm:grid-cols-2 ${metrics.length > 2 ? 'lg:grid-cols-3' : ''}`}>
        {metrics.map((metric) => (
          <ValueField
            key={metric.field}
            metric={metric}
            error={errors.find(({ field }) => field === metric.field)?.detail}
          />
        ))}
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <Button look="primary" type="submit" disabled={!isHydrated}>
          POST
        </Button>
        <SubmissionResult submission={isEmpty ? null : submission} />
        {isEmpty && <Notice>Nothing was sent: enter at least one value.</Notice>}
      </div>
    </form>
  );
}

function typedValues(form: FormData, metrics: readonly Metric[]): SubmittedValues {
  const typed = metrics.map(({ field }) => [field, String(form.get(field) ?? '')] as const);
  return Object.fromEntries(typed.filter(([, text]) => text.trim() !== ''));
}

function ValueField({ metric: { field, name, unit }, error }: { metric: Metric; error?: string }) {
  const id = `value-${field}`;
  const shown = useMetrics().find((metric) => metric.field === field)?.unit;
  // The page shows another unit than it posts where the viewer's country uses °F.
  const isOther = shown !== undefined && shown !== unit;
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={id}>{name} reading:</label>
      <div className="flex items-center gap-2">
        <input
          id={id}
          name={field}
          type="text"
          inputMode="decimal"
          autoComplete="off"
          aria-invalid={error !== undefined}
          aria-describedby={error ? `${id}-error` : isOther ? `${id}-unit` : undefined}
          className="min-h-11 w-full min-w-0 rounded-md border border-muted bg-canvas px-3 text-ink aria-invalid:border-poor-ink"
        />
        {/* A fixed width, so that all inputs have the same. */}
        <span id={`${id}-unit`} className="w-13 shrink-0 leading-tight text-muted">
          {isOther ? `${unit}, not ${shown}` : unit}
        </span>
      </div>
      {error && (
        <p id={`${id}-error`} className="text-fall">
          {name} {error}
        </p>
      )}
    </div>
  );
}

/** The required first values of the counters. */
const START = { co2: 1, voc: 100 };

/** A button that submits the counters, then increments CO2 and decrements VOC. */
function CounterButton({ submit }: { submit: SubmitReading }) {
  const isHydrated = useHydrated();
  const [counters, setCounters] = useState(START);
  const { submission, send } = useSubmission(submit);

  function handleClick(): void {
    send(counters);
    // Count without waiting for the response, because a second click must not send the same values.
    setCounters({ co2: counters.co2 + 1, voc: counters.voc - 1 });
  }

  return (
    <div className="flex flex-wrap items-center gap-3 border-t border-line pt-6">
      <Button disabled={!isHydrated} onClick={handleClick}>
        Reading +1
      </Button>
      <p className="text-muted">
        next: CO2 <strong className="text-ink">{counters.co2}</strong>, VOC{' '}
        <strong className="text-ink">{counters.voc}</strong>
      </p>
      <SubmissionResult submission={submission} />
    </div>
  );
}

/** The required interval of random readings (decision 0001). */
const INTERVAL_MS = 15_000;
const COUNTDOWN_STEP_MS = 1000;

/** Submits a random reading every 15 seconds until it is paused. */
function AutoPoster({ submit, hasDevicePosted }: { submit: SubmitReading; hasDevicePosted: boolean }) {
  const isHydrated = useHydrated();
  const [isOn, setOn] = useState(true);
  const [remainingMs, setRemainingMs] = useState(INTERVAL_MS);
  const { submission, send } = useSubmission(submit);

  useEffect(() => {
    if (!isOn) return;
    // `performance.now()`, because the viewer may set the system clock.
    let nextAt = performance.now() + INTERVAL_MS;
    setRemainingMs(INTERVAL_MS);
    const posting = setInterval(() => {
      nextAt = performance.now() + INTERVAL_MS;
      setRemainingMs(INTERVAL_MS);
      send(randomReading());
    }, INTERVAL_MS);
    const countdown = setInterval(() => setRemainingMs(nextAt - performance.now()), COUNTDOWN_STEP_MS);
    return () => {
      clearInterval(posting);
      clearInterval(countdown);
    };
  }, [isOn, send]);

  return (
    <div className="flex flex-wrap items-center gap-3 border-t border-line pt-6">
      <Switch
        label="Random reading every 15 s"
        isOn={isOn}
        isDisabled={!isHydrated}
        onSwitch={setOn}
        className="font-semibold"
      />
      <p className="text-muted">{isOn ? `next in ${Math.round(remainingMs / 1000)} s` : 'paused'}</p>
      {isOn && hasDevicePosted && (
        <p role="note" className="rounded-md border-l-4 border-muted bg-canvas px-3 py-2">
          A device has posted here during the last day. Random readings will mix with its history: switch them
          off to keep them out.
        </p>
      )}
      <SubmissionResult submission={submission} isSilent />
    </div>
  );
}
