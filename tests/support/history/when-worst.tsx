import { createRemixStub } from '@remix-run/testing';
import { act, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect } from 'vitest';
import type { Cell, PatternAnswer } from '../../../app/readings/history/history-answer';
import type { PatternUnit } from '../../../app/readings/history/pattern-cells';
import { CO2, type Metric } from '../../../app/readings/metric';
import { WhenWorst } from '../../../app/ui/history/patterns/when-worst';
import { THRESHOLDS } from '../readings/readings';
import { metricAnswer } from './history-answers';

const at = (time: string) => new Date(time).getTime();

/** Returns the address of a time in the tables of tests. */
export function hrefOf(from: number, to: number): string {
  return `/history?from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`;
}

/** Returns a pattern with these averages of CO2, keyed by the local time of their cells. VOC is a tenth of them. */
export function pattern(averages: Record<string, number>): PatternAnswer {
  const cells = Object.entries(averages).map(
    ([time, average]): Cell => ({
      start: new Date(time).toISOString(),
      co2: metricAnswer(average),
      voc: metricAnswer(average / 10),
    }),
  );
  return { cells, typical_day: [] };
}

/** Two days, the default span of tests. */
export const TWO_DAYS = pattern({
  '2026-11-20T18:00': 1213.4,
  '2026-11-20T19:00': 2400,
  '2026-11-21T00:00': 640,
  '2026-11-21T18:00': 900,
  '2026-11-21T23:00': 999.6,
});

/** A table of worst times, with local times. */
interface Shown {
  pattern: PatternAnswer | null;
  from?: string;
  to?: string;
  now?: string;
  first?: string;
  worstFrom?: string;
  by?: PatternUnit;
  metric?: Metric;
}

/** The query of the page opened by a link in the table; null if none was. */
export let openedSearch: string | null = null;

/** Renders a table of worst times on a page. The returned function renders another one. */
export async function showWhenWorst(initial: Shown) {
  let update: (next: Shown) => void = () => {};
  function Page() {
    const [shown, setShown] = useState(initial);
    update = setShown;
    const { pattern, by = 'hour', metric = CO2 } = shown;
    const {
      from = '2026-11-20T00:00',
      to = '2026-11-22T00:00',
      now = '2026-11-25T00:00',
      first,
      worstFrom,
    } = shown;
    return (
      <WhenWorst
        view={{ from: at(from), to: at(to) }}
        worstFrom={worstFrom === undefined ? undefined : at(worstFrom)}
        now={at(now)}
        first={first ? at(first) : null}
        thresholds={THRESHOLDS}
        {...{ pattern, by, metric, hrefOf }}
      />
    );
  }
  openedSearch = null;
  const Stub = createRemixStub([
    { path: '/', Component: Page },
    {
      path: '/history',
      Component: () => <p>opened</p>,
      loader: ({ request }) => {
        openedSearch = new URL(request.url).search;
        return null;
      },
    },
  ]);
  const { container } = render(<Stub initialEntries={['/']} />);
  await waitFor(() => expect(container.querySelector('table')).not.toBeNull(), { timeout: 10_000 });
  // The cells are rendered after the rest.
  await act(async () => {});
  return (next: Shown) => act(async () => update(next));
}

/** Returns the rows of days or months. */
export function shownRows(): HTMLTableRowElement[] {
  return screen.getAllByRole('row').slice(1) as HTMLTableRowElement[];
}

/** Returns the cell in a row and a column, both from 0. */
export function cellOf(row: number, column: number): HTMLTableCellElement {
  return shownRows()[row]?.cells[column + 1] as HTMLTableCellElement;
}

/** Returns the link with this name. */
export function linkOf(name: RegExp): HTMLAnchorElement {
  return screen.getByRole('link', { name });
}

/** Returns the text above the table. */
export function shownLine(): string | null | undefined {
  return document.querySelector('p:has(+ table)')?.textContent;
}
