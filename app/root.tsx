import type { LinksFunction, MetaFunction } from '@remix-run/node';
import {
  isRouteErrorResponse,
  Link,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useRouteError,
} from '@remix-run/react';
import { type ReactNode, useContext } from 'react';
import { getEnv } from './config/env.server';
import type { FeedSettings } from './live/browser/live-feed';
import { feedSettings } from './live/server/feed-settings.server';
import stylesheet from './tailwind.css?url';
import { HeaderBar } from './ui/header-bar';
import { NonceContext } from './ui/nonce-context';

export const links: LinksFunction = () => [
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'stylesheet', href: stylesheet },
];

export const meta: MetaFunction = () => [
  { title: 'airboard: know when to open a window' },
  { name: 'description', content: 'Live CO2 and VOC readings of a room, and how they got there.' },
];

/** What every page needs to know of the server's settings. */
export function loader(): { feed: FeedSettings; isKeyNeeded: boolean } {
  return { feed: feedSettings(), isKeyNeeded: getEnv().WRITE_KEY !== undefined };
}

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useContext(NonceContext);
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <Meta />
        <Links />
      </head>
      <body className="min-h-dvh bg-canvas text-ink">
        <HeaderBar />
        <main className="mx-auto max-w-6xl p-4 pb-20">{children}</main>
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

export default function App() {
  return <Outlet />;
}

/** The one error page: what a route threw, a page that is not there, or a question the server refused. */
export function ErrorBoundary() {
  const error = useRouteError();
  if (!isRouteErrorResponse(error)) {
    return (
      <ErrorPage title="Unhandled Thrown Error!">
        <p>Something broke that nobody planned for. Nothing that was stored is lost.</p>
        <p>Reload this page. If it stays, look at what the server has printed.</p>
      </ErrorPage>
    );
  }
  if (error.status === 404) {
    return (
      <ErrorPage title="There is no such page">
        <p>
          These are here: <Link to="/">the dashboard</Link>, <Link to="/chart">the chart</Link> and{' '}
          <Link to="/postdata">posting data</Link>.
        </p>
      </ErrorPage>
    );
  }
  return (
    <ErrorPage title={`${error.status} ${error.statusText}`}>
      <p>{typeof error.data === 'string' ? error.data : 'The server refused this.'}</p>
    </ErrorPage>
  );
}

function ErrorPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid gap-4 py-8 [&_a]:text-accent [&_a]:underline">
      <h1 className="text-2xl font-bold">{title}</h1>
      {children}
    </div>
  );
}
