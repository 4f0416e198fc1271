import { NavLink } from '@remix-run/react';
import { useEffect, useState } from 'react';
import { PAGE_LINKS } from './page-links';

/** The header of every page: the tagline and links to the pages. */
export function HeaderBar() {
  const isFramed = useIsFramed();
  return (
    <header className="border-b border-line bg-surface">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-x-6 gap-y-1 px-4 py-3">
        <p className="text-lg font-semibold">know when to open a window</p>
        <nav aria-label="Pages" className="-mx-2 flex gap-1">
          {PAGE_LINKS.map(({ to, text }) => (
            <NavLink
              key={to}
              // Ask for a page's scripts when its link is followed, not on every visit.
              discover="none"
              to={to}
              end
              // Leave the frame of another site: only the chart may be framed.
              target={isFramed ? '_top' : undefined}
              className={({ isActive }) =>
                `rounded-md px-2 py-2 underline-offset-4 hover:underline ${isActive ? 'font-semibold text-ink underline' : 'text-muted'}`
              }
            >
              {text}
            </NavLink>
          ))}
        </nav>
      </div>
    </header>
  );
}

function useIsFramed(): boolean {
  const [isFramed, setFramed] = useState(false);
  useEffect(() => setFramed(window.self !== window.top), []);
  return isFramed;
}
