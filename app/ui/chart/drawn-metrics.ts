import { useLocation, useNavigate } from '@remix-run/react';
import { useMemo } from 'react';
import { formatQuery } from '../../readings/format/format-query';
import {
  type ByMetric,
  hasOnlyMain,
  MAIN_METRICS,
  type Metric,
  type MetricField,
  mainMetrics,
  measuredMetrics,
} from '../../readings/metric';
import { useMetrics } from '../page-contexts';

/** The choice of a chart's metrics, for a sensor that measures more than CO2 and VOC. */
export interface MetricChoice {
  metrics: readonly Metric[];
  choose(field: MetricField): void;
}

/** A chart has room for two axes. */
const MOST_DRAWN = 2;

/** Returns the metrics to draw: the measured ones in `?metrics=pm25,temperature`, or the sensor's main metrics. */
export function drawnMetrics(search: string, measured: readonly Metric[]): readonly Metric[] {
  const names = new URLSearchParams(search).get('metrics')?.split(',') ?? [];
  const asked = [...new Set(names)].flatMap((name) => measured.filter(({ field }) => field === name));
  return asked.length > 0 ? asked.slice(0, MOST_DRAWN) : defaultMetrics(measured);
}

function defaultMetrics(measured: readonly Metric[]): readonly Metric[] {
  return hasOnlyMain(measured) ? MAIN_METRICS : mainMetrics(measured);
}

/**
 * Returns a page's query after the viewer chose a metric. It replaces the older of two drawn metrics; choosing a drawn metric
 * removes it. The default metrics need no parameter.
 */
export function withChosen(search: string, field: MetricField, measured: readonly Metric[]): string {
  const drawn = drawnMetrics(search, measured).map((metric) => metric.field);
  const others = drawn.filter((other) => other !== field);
  const chosen = others.length < drawn.length ? others : [...others, field].slice(-MOST_DRAWN);
  const query = new URLSearchParams(search);
  if (chosen.length === 0) return search;
  if (
    chosen.join() ===
    defaultMetrics(measured)
      .map((metric) => metric.field)
      .join()
  )
    query.delete('metrics');
  else query.set('metrics', chosen.join());
  return formatQuery(query);
}

/** Keeps the chart's metrics in the page's address. `rows` are the sensor's readings or steps. */
export function useDrawnMetrics(rows: readonly ByMetric<unknown>[]): {
  drawn: readonly Metric[];
  choice: MetricChoice | undefined;
} {
  const { search } = useLocation();
  const navigate = useNavigate();
  const metrics = useMetrics();
  const measured = useMemo(() => measuredMetrics(rows, metrics), [rows, metrics]);
  const fields = drawnMetrics(search, measured)
    .map(({ field }) => field)
    .join();
  // Memoized, because a new list creates a new chart.
  const drawn = useMemo(
    () => fields.split(',').flatMap((name) => metrics.filter(({ field }) => field === name)),
    [fields, metrics],
  );
  const choose = (field: MetricField) =>
    navigate({ search: withChosen(search, field, measured) }, { replace: true, preventScrollReset: true });
  const hasChoice = measured.length > 1 && !hasOnlyMain(measured);
  return { drawn, choice: hasChoice ? { metrics: measured, choose } : undefined };
}
