import { useEffect } from 'react';

/**
 * Shows a text in the browser's tab instead of the page's title. It isn't taken back: the next page sets its own, and
 * would lose it again.
 */
export function useTabTitle(text: string): void {
  useEffect(() => {
    document.title = text;
  }, [text]);
}
