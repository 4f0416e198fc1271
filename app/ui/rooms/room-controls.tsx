import { Link, useLocation } from '@remix-run/react';
import { formatQuery } from '../../readings/format/format-query';
import { METRICS, type MetricField } from '../../readings/metric';
import { SPAN_PARAMETERS } from '../../readings/time/span-address';
import { SEGMENT_FRAME, segmentLook } from '../controls';

/** Writes a group as a heading: `School / Floor 2`. */
export const groupLabel = (group: string): string => group.replaceAll('/', ' / ');

interface MetricLinksProps {
  metric: MetricField | undefined;
  measured: readonly MetricField[];
  /** True to offer the worst level of all metrics. */
  isWithAll?: boolean;
  /** The parameter of the address. */
  parameter?: 'metric' | 'metrics';
}

/** The choice of a metric. Renders nothing if there is only one. */
export function MetricLinks({ metric, measured, isWithAll = false, parameter = 'metric' }: MetricLinksProps) {
  if (measured.length < 2) return null;
  const shown = metric ?? (isWithAll ? undefined : 'co2');
  return (
    <nav aria-label="Metric" className="flex w-full min-w-0 flex-wrap rounded-xl bg-canvas p-[3px] sm:w-auto">
      {isWithAll && (
        <Segment parameter={parameter} value={null} isSelected={!metric}>
          Air
        </Segment>
      )}
      {METRICS.filter(({ field }) => measured.includes(field)).map(({ field, name }) => (
        <Segment key={field} parameter={parameter} value={field} isSelected={shown === field}>
          {name}
        </Segment>
      ))}
    </nav>
  );
}

const SPANS = ['day', 'week', 'month'] as const;

/** Links to the rooms now, and to their numbers over the last day, week and month. */
export function SpanSegments({ shown }: { shown?: string }) {
  const { search } = useLocation();
  const now = SPAN_PARAMETERS.reduce((query, name) => withParameter(query, name, null), search);
  return (
    <nav aria-label="Time" className={`${SEGMENT_FRAME} grid-cols-4`}>
      {([null, ...SPANS] as const).map((span) => (
        <Link
          key={span}
          to={{ search: withParameter(now, 'span', span) }}
          preventScrollReset
          discover="none"
          aria-current={(shown ?? null) === span ? 'page' : undefined}
          className={`${segmentLook((shown ?? null) === span)} capitalize`}
        >
          {span ?? 'Now'}
        </Link>
      ))}
    </nav>
  );
}

interface SegmentProps {
  parameter: string;
  /** Null to leave the parameter out. */
  value: string | null;
  isSelected: boolean;
  children: string;
}

/** A link that changes one parameter of the address. */
export function Segment({ parameter, value, isSelected, children }: SegmentProps) {
  const { search } = useLocation();
  return (
    <Link
      to={{ search: withParameter(search, parameter, value) }}
      preventScrollReset
      discover="none"
      aria-current={isSelected ? 'page' : undefined}
      className={`${segmentLook(isSelected)} whitespace-nowrap`}
    >
      {children}
    </Link>
  );
}

/** Returns a query with a parameter, or without it. */
export function withParameter(search: string, name: string, value: string | null): string {
  const query = new URLSearchParams(search);
  if (value === null) query.delete(name);
  else query.set(name, value);
  return formatQuery(query);
}
