import { type ComponentType, useEffect, useState } from 'react';
import { WithoutScript } from '../readings-page';
import type { SpanPageProps } from './span-chart-page';

/** The `/chart` page: one chart alone. Loads the chart's code on demand, so pages without it don't load it. */
export function SpanPage(props: SpanPageProps) {
  const [{ Page, hasFailed }, setLoaded] = useState<{
    Page?: ComponentType<SpanPageProps>;
    hasFailed?: true;
  }>({});
  useEffect(() => {
    import('./span-chart-page').then(
      ({ SpanChartPage }) => setLoaded({ Page: SpanChartPage }),
      () => setLoaded({ hasFailed: true }),
    );
  }, []);
  if (Page) return <Page {...props} />;
  return (
    <>
      <WithoutScript last={props.initial.readings.at(-1) ?? null} />
      <p className="grid h-80 place-content-center text-muted noscript:hidden">
        {hasFailed ? "The chart can't be loaded. Reload this page." : 'Loading readings…'}
      </p>
    </>
  );
}
