import { useEffect } from 'react';

/**
 * Shows a text in the browser's tab instead of the page's title. It isn't taken back: the next page sets its own, and
 * would lose it again.
 *
 * @param text null to leave the tab as it is
 */
export function useTabTitle(text: string | null): void {
  useEffect(() => {
    if (text !== null) document.title = text;
  }, [text]);
}
