import { WithoutScript } from '../readings-page';
import { LOADING_FAILED, useLoaded } from '../use-loaded';
import type { SpanPageProps } from './span-chart-page';

const load = () => import('./span-chart-page').then(({ SpanChartPage }) => SpanChartPage);

/** The `/chart` page: one chart alone. */
export function SpanPage(props: SpanPageProps) {
  const { Component: Page, hasFailed } = useLoaded(load);
  if (Page) return <Page {...props} />;
  return (
    <>
      <WithoutScript last={props.initial.readings.at(-1) ?? null} />
      <p className="grid h-80 place-content-center text-muted noscript:hidden">
        {hasFailed ? LOADING_FAILED : 'Loading readings…'}
      </p>
    </>
  );
}
