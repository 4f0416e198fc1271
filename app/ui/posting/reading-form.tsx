import type { FormEvent } from 'react';
import { METRICS, type Metric } from '../../readings/metric';
import { Button } from '../button';
import { useHydrated } from '../use-hydrated';
import { SubmissionResult } from './submission-result';
import type { SubmitReading } from './submit-reading';
import { useSubmission } from './use-submission';

/** A form that submits the typed text unchanged and keeps it. The server validates it. */
export function ReadingForm({ submit }: { submit: SubmitReading }) {
  const isHydrated = useHydrated();
  const { submission, send, isSending } = useSubmission(submit);
  const errors = submission?.kind === 'rejected' ? submission.errors : [];

  function handleSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    // A second click before the response would store the reading twice.
    if (!isSending()) send({ co2: form.get('co2'), voc: form.get('voc') });
  }

  return (
    <form onSubmit={handleSubmit} noValidate className="grid gap-3">
      <div className="grid gap-3 sm:grid-cols-2">
        {METRICS.map((metric) => (
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
        <SubmissionResult submission={submission} />
      </div>
    </form>
  );
}

function ValueField({ metric: { field, name, unit }, error }: { metric: Metric; error?: string }) {
  const id = `value-${field}`;
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
