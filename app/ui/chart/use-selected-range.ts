import { useSearchParams } from '@remix-run/react';
import { DEFAULT_RANGE, findRange, type Range } from '../../readings/range';

/**
 * Keeps the range of the chart in the page's address, as `?range=`. The default range has no parameter.
 *
 * @param count how many readings exist; while they are too few for the selected range, the default one is returned
 * @returns the range to show, and a function that selects another one
 */
export function useSelectedRange(count: number): [Range, (range: Range) => void] {
  const [parameters, setParameters] = useSearchParams();
  const selected = findRange(parameters.get('range') ?? '') ?? DEFAULT_RANGE;
  const select = ({ name }: Range) =>
    setParameters(name === DEFAULT_RANGE.name ? {} : { range: name }, {
      replace: true,
      preventScrollReset: true,
    });
  return [count >= selected.enabledFrom ? selected : DEFAULT_RANGE, select];
}
