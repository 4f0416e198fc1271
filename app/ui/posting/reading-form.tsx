import type { FormEvent } from 'react';
import { METRICS, type Metric } from '../../readings/metric';
import { Button } from '../button';
import { useHydrated } from '../use-hydrated';
import { SubmissionResult } from './submission-result';
import type { SubmitReading } from './submit-reading';
import { useSubmission } from './use-submission';

/** Sends what is typed, as it is typed: the server says what is wrong with it. What was typed stays. */
export function ReadingForm({ post }: { post: SubmitReading }) {
  const isHydrated = useHydrated();
  const { outcome, send, isSending } = useSubmission(post);
  const errors = outcome?.kind === 'refused' ? outcome.errors : [];

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    // While one is on its way, a second press would store it twice.
    if (!isSending()) send({ co2: typed.get('co2'), voc: typed.get('voc') });
  }

  return (
    <form onSubmit={submit} noValidate className="grid gap-3">
      <div className="grid gap-3 sm:grid-cols-2">
        {METRICS.map((metric) => (
          <TypedValue
            key={metric.field}
            metric={metric}
            error={errors.find(({ field }) => field === metric.field)?.detail}
          />
        ))}
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <Button primary type="submit" disabled={!isHydrated}>
          POST
        </Button>
        <SubmissionResult outcome={outcome} />
      </div>
    </form>
  );
}

function TypedValue({ metric: { field, name, unit }, error }: { metric: Metric; error?: string }) {
  const id = `typed-${field}`;
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
          aria-describedby={error ? `${id}-error` : undefined}
          className="min-h-11 w-full min-w-0 rounded-md border border-muted bg-canvas px-3 text-ink aria-invalid:border-poor-ink"
        />
        <span className="text-muted">{unit}</span>
      </div>
      {error && (
        <p id={`${id}-error`} className="text-fall">
          {name} {error}
        </p>
      )}
    </div>
  );
}
