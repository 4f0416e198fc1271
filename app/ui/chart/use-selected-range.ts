import { useLocation, useNavigate } from '@remix-run/react';
import { DEFAULT_RANGE, findRange, type Range } from '../../readings/chart/range';
import { withRange } from './range-address';

/**
 * Keeps the range of the chart in the page's address, as `?range=`. The default range has no parameter.
 *
 * @param count how many readings exist; while they are too few for the selected range, the default one is returned
 * @returns the range to show, and a function that selects another one
 */
export function useSelectedRange(count: number): [Range, (range: Range) => void] {
  const { search } = useLocation();
  const navigate = useNavigate();
  const selected = findRange(new URLSearchParams(search).get('range') ?? '') ?? DEFAULT_RANGE;
  const select = ({ name }: Range) =>
    navigate(
      { search: withRange(search, name === DEFAULT_RANGE.name ? null : name) },
      { replace: true, preventScrollReset: true },
    );
  return [count >= selected.enabledFrom ? selected : DEFAULT_RANGE, select];
}
