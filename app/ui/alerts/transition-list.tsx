import type { ReactNode } from 'react';
import type {
  AttemptReport,
  DeliveryReport,
  MessageReport,
  ReportedSettings,
  TransitionReport,
  UntoldReason,
} from '../../readings/air/air-report';
import type { AirState } from '../../readings/air/air-state';
import type { ByMetric } from '../../readings/metric';
import { sensorLabel } from '../../readings/sensor';
import { Card } from '../card';
import { stateLook } from '../level-look';
import { LocalTime } from '../local-time';
import { formatReading } from '../readings-table';

interface TransitionListProps {
  transitions: readonly TransitionReport[];
  /** Messages without a transition. */
  messages: readonly MessageReport[];
  quiet: ReportedSettings['quiet'];
  hasSensorNames: boolean;
}

/** The newest transitions and other messages, newest first, with their deliveries. */
export function TransitionList({ transitions, messages, quiet, hasSensorNames }: TransitionListProps) {
  const rows = [
    ...transitions.map((transition) => ({
      time: transition.at,
      key: `${transition.sensor} ${transition.at} ${transition.to}`,
      ...transition,
      name: sensorLabel(transition.sensor),
      change: <Change transition={transition} />,
      untold: unsentText(transition, quiet),
    })),
    ...messages.map((message) => ({
      time: message.at,
      key: `${message.id} ${message.at}`,
      ...message,
      name: message.kind === 'summary' ? message.title : sensorLabel(message.sensor),
      untold: null,
      change: <StateMark state={message.state} />,
      note: MESSAGE_NOTES[message.kind],
    })),
  ].sort((a, b) => Date.parse(b.time) - Date.parse(a.time));
  return (
    <Card title={transitions.length > 1 ? `The last ${transitions.length} changes` : 'Changes'}>
      {rows.length === 0 && <p className="text-muted">No change of a sensor's state yet.</p>}
      <ol>
        {rows.map(({ key, ...row }) => (
          <Row key={key} {...row} hasName={hasSensorNames} />
        ))}
      </ol>
    </Card>
  );
}

const MESSAGE_NOTES: Record<MessageReport['kind'], string> = {
  reminder: 'reminder',
  entered: 'after the clock was corrected',
  ended: 'after the clock was corrected',
  aired: 'the window can be closed',
  sensor: "the sensor can't be believed",
  summary: 'summary',
};

const UNSENT: Record<Exclude<UntoldReason, 'quiet'>, string> = {
  'not-chosen': 'not sent: not in NOTIFY_ON',
  over: 'not sent: already over when detected',
  'over-in-quiet': 'not sent: ended within quiet hours',
  'not-yet': 'not sent yet',
  before: 'not sent: began before the sensor was first seen',
};

function unsentText({ untold }: TransitionReport, quiet: ReportedSettings['quiet']): string | null {
  return untold === 'quiet' ? `quiet hours: waits until ${quiet?.to}` : untold && UNSENT[untold];
}

function Change({ transition: { from, to } }: { transition: TransitionReport }) {
  return (
    <>
      <StateMark state={from} /> <span aria-hidden="true">→</span>
      <span className="sr-only">to</span> <StateMark state={to} />
    </>
  );
}

function StateMark({ state }: { state: AirState }) {
  return (
    <span
      data-state={state}
      className={`inline-block rounded-md px-1.5 text-sm/5 font-semibold ${stateLook(state)}`}
    >
      {state}
    </span>
  );
}

interface RowProps extends ByMetric<number | null>, Pick<MessageReport, 'deliveries'> {
  /** The sensor's name, or a summary's title. */
  name: string;
  time: string;
  change: ReactNode;
  note?: string;
  untold: string | null;
  hasName: boolean;
}

function Row({ time, name, change, note, untold, deliveries, hasName, ...values }: RowProps) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-t border-line py-2.5 first:border-t-0 lg:grid lg:grid-cols-[9.5rem_12rem_auto_minmax(0,1fr)_auto]">
      <span className="min-h-6 text-sm text-muted max-lg:order-1">
        <LocalTime time={time} />
      </span>
      {hasName && <bdi className="font-semibold wrap-anywhere max-lg:w-full">{name}</bdi>}
      <span className="flex flex-wrap items-baseline gap-x-4 max-lg:w-full lg:contents">
        <span className="whitespace-nowrap">{change}</span>
        <span className="text-sm">
          {formatReading(values)}
          {note && <span className="text-muted"> – {note}</span>}
        </span>
      </span>
      {untold === null ? (
        <Deliveries deliveries={deliveries} />
      ) : (
        <span className="ml-auto text-sm text-muted max-lg:order-2">{untold}</span>
      )}
    </li>
  );
}

function Deliveries({ deliveries }: { deliveries: readonly DeliveryReport[] }) {
  return (
    <details className="ml-auto text-sm open:w-full max-lg:order-2 lg:open:col-span-full">
      <summary className="min-h-6 cursor-pointer text-right">{deliverySummary(deliveries)}</summary>
      <ul className="mt-1 grid gap-2 rounded-lg bg-canvas p-3">
        {deliveries.map((delivery, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two addresses may look the same without their secrets.
          <li key={index} className="grid gap-1 wrap-anywhere">
            <span className="font-semibold">{delivery.address ?? 'an address that is no longer set'}</span>
            {delivery.state === 'replaced' ? (
              <span className="text-muted">not sent: replaced by a newer notification or a summary</span>
            ) : (
              <Attempts attempts={delivery.attempts} />
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

const OUTCOMES: Record<AttemptReport['outcome'], string> = {
  delivered: 'delivered',
  failed: 'given up',
  retry: 'failed, will be retried',
};

function Attempts({ attempts }: { attempts: readonly AttemptReport[] }) {
  if (attempts.length === 0) return <span className="text-muted">not tried yet</span>;
  return (
    <ol className="grid gap-0.5">
      {attempts.map(({ at, outcome, answer }) => (
        <li key={at}>
          <LocalTime time={at} /> {OUTCOMES[outcome]}: {answer}
        </li>
      ))}
    </ol>
  );
}

/** Returns `delivered`, `delivered to 3 addresses` or `1 given up, 2 still failing, 3 delivered`. */
export function deliverySummary(deliveries: readonly DeliveryReport[]): string {
  const states = deliveries.map(({ state, attempts }) => {
    if (state === 'pending') return attempts.length > 0 ? 'still failing' : 'still to deliver';
    return state === 'failed' ? 'given up' : state;
  });
  const kinds = ['given up', 'still failing', 'still to deliver', 'replaced', 'delivered'] as const;
  const counts = kinds.map((kind) => ({ kind, count: states.filter((state) => state === kind).length }));
  const present = counts.filter(({ count }) => count > 0);
  const [only] = present;
  if (states.length === 1) return only?.kind ?? '';
  if (only?.kind === 'delivered') return `delivered to ${only.count} addresses`;
  return present.map(({ kind, count }) => `${count} ${kind}`).join(', ');
}
