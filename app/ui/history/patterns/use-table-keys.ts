import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect } from 'react';

/**
 * Makes the links of a table one tab stop, between which the arrow keys, Home and End move. The links have a `tabIndex`
 * of -1: that of the tab stop is set on its element, so that moving it renders nothing.
 */
export function useTableKeys(table: RefObject<HTMLTableElement>) {
  useEffect(() => {
    if (table.current?.querySelector('a[tabindex="0"]')) return;
    moveTabStop(table.current, table.current?.querySelector('a'));
  });
  return {
    onFocus: ({ target }: FocusEvent<HTMLTableElement>) => moveTabStop(table.current, target),
    onKeyDown: (event: KeyboardEvent<HTMLTableElement>) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const link = (event.target as Element).closest('a');
      if (!link || !isMove(event.key)) return;
      // Even at an edge: the page would go to an earlier or later span, or scroll.
      event.preventDefault();
      event.stopPropagation();
      MOVES[event.key](link)?.focus();
    },
  };
}

function moveTabStop(table: HTMLTableElement | null, link: Element | null | undefined): void {
  table?.querySelector('a[tabindex="0"]')?.setAttribute('tabindex', '-1');
  link?.setAttribute('tabindex', '0');
}

type Move = (link: HTMLAnchorElement) => HTMLAnchorElement | undefined;

const MOVES = {
  ArrowLeft: (link: HTMLAnchorElement) => inRow(link, -1),
  ArrowRight: (link: HTMLAnchorElement) => inRow(link, 1),
  ArrowUp: (link: HTMLAnchorElement) => inColumn(link, 'previousElementSibling'),
  ArrowDown: (link: HTMLAnchorElement) => inColumn(link, 'nextElementSibling'),
  Home: (link: HTMLAnchorElement) => linksOf(link.closest('tr'))[0],
  End: (link: HTMLAnchorElement) => linksOf(link.closest('tr')).at(-1),
} satisfies Record<string, Move>;

function isMove(key: string): key is keyof typeof MOVES {
  return key in MOVES;
}

function linksOf(element: Element | null): HTMLAnchorElement[] {
  return [...(element?.querySelectorAll('a') ?? [])];
}

function inRow(link: HTMLAnchorElement, step: number): HTMLAnchorElement | undefined {
  const links = linksOf(link.closest('tr'));
  return links[links.indexOf(link) + step];
}

/** Returns the next link in the same column, beyond times without readings. */
function inColumn(
  link: HTMLAnchorElement,
  sibling: 'previousElementSibling' | 'nextElementSibling',
): HTMLAnchorElement | undefined {
  const cell = link.closest<HTMLTableCellElement>('td, th');
  const place = linksOf(cell).indexOf(link);
  let row = cell?.parentElement?.[sibling];
  for (; row; row = row[sibling]) {
    const links = linksOf((row as HTMLTableRowElement).cells[cell?.cellIndex ?? 0] ?? null);
    const next = links[place] ?? links[0];
    if (next) return next;
  }
}
