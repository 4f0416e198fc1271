import { NavLink } from '@remix-run/react';
import { useEffect, useState } from 'react';

const ROUTES = [
  { to: '/', text: 'Dashboard' },
  { to: '/chart', text: 'Chart' },
  { to: '/postdata', text: 'Post data' },
];

/** The bar over every route: the tagline, and the way to the other routes. */
export function HeaderBar() {
  const isFramed = useIsFramed();
  return (
    <header className="border-b border-line bg-surface">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-x-6 gap-y-1 px-4 py-3">
        <p className="text-lg font-semibold">know when to open a window</p>
        <nav aria-label="Pages" className="-mx-2 flex gap-1">
          {ROUTES.map(({ to, text }) => (
            <NavLink
              key={to}
              // Which scripts a page has is asked when somebody goes there, not by every visitor.
              discover="none"
              to={to}
              end
              // A chart in another site's frame must not lead to a page for posting inside of it.
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
