import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import {
  isRouteErrorResponse,
  Link,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLoaderData,
  useRouteError,
  useRouteLoaderData,
} from '@remix-run/react';
import { type ReactNode, useContext, useEffect } from 'react';
import { airRules } from './alerts/air-now.server';
import { atBase } from './base-path';
import { getEnv } from './config/env.server';
import { outdoorSensor } from './config/outdoor-sensor.server';
import { BUILD_ID } from './config/version.server';
import { framedPages } from './http/guard/security-headers.server';
import { feedSettings } from './live/server/feed-settings.server';
import { registerOfflineWorker } from './offline/register-offline-worker';
import { readsFahrenheit } from './readings/format/format-value';
import stylesheet from './tailwind.css?url';
import { useBrowserAlerts } from './ui/alerts/browser-alerts';
import { HeaderBar, PAGE_LINKS } from './ui/header-bar';
import { FrameNote } from './ui/not-framed';
import { NumbersGuide } from './ui/numbers-guide';
import { OpeningNotice } from './ui/opening/opening-notice';
import { useRenewal } from './ui/opening/use-renewal';
import {
  MetricsContext,
  NonceContext,
  OutdoorSensorContext,
  SilentAfterContext,
  ThresholdsContext,
} from './ui/page-contexts';
import { DASHBOARD_TITLE } from './ui/tab-title';
import { useNewestBuild } from './ui/use-newest-build';
import { ChoicesBar, choicesIn, mediaOf, metricsFor, SCHEMES, useChoices } from './ui/viewer-choices';
import { RenewalWithoutApp } from './ui/wall/renewal-without-app';
import { useIsWall } from './ui/wall/wall-address';

export const links: LinksFunction = () => [
  { rel: 'icon', href: atBase('/favicon.ico'), sizes: '32x32' },
  { rel: 'icon', href: atBase('/favicon.svg'), type: 'image/svg+xml' },
  { rel: 'apple-touch-icon', href: atBase('/apple-touch-icon.png') },
  { rel: 'manifest', href: atBase('/manifest.webmanifest') },
  { rel: 'stylesheet', href: atBase(stylesheet) },
];

/** The title of the dashboard and the error page. Other pages set their own. */
export const meta: MetaFunction = ({ error }) => [
  { title: error ? `${errorTitle(error)} – airboard` : DASHBOARD_TITLE },
];

/** Returns the server settings that pages need, and the viewer's choices of colours and of the temperature's unit. */
export function loader({ request }: LoaderFunctionArgs) {
  const { READ_KEY, WRITE_KEY, RANDOM_POSTS, alerts } = getEnv();
  const { thresholds, ...rules } = airRules();
  return {
    build: BUILD_ID,
    feed: feedSettings(),
    framedPages: framedPages(),
    choices: choicesIn(request.headers.get('Cookie') ?? ''),
    isFahrenheitUsual: readsFahrenheit(request.headers.get('Accept-Language')),
    hasNotifications: alerts.urls.length > 0,
    isKeyNeeded: WRITE_KEY !== undefined,
    isReadKeyNeeded: READ_KEY !== undefined,
    outdoorSensor: outdoorSensor(),
    offersRandomPosts: RANDOM_POSTS === 'true',
    rules,
    thresholds,
  };
}

/** The root's data, which pages get from `useOutletContext`. `feed` is the same object on every render. */
export type RootData = ReturnType<typeof loader>;

/** Never reloads: the settings don't change while the server runs, and a new `feed` object would make pages reconnect. */
export const shouldRevalidate = () => false;

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useContext(NonceContext);
  // An error page needs its links even on a wall. Without an error, `useRouteError` returns null or undefined.
  const hasFailed = (useRouteError() ?? null) !== null;
  const isWallAddress = useIsWall();
  const isWall = isWallAddress && !hasFailed;
  const data = useRouteLoaderData<typeof loader>('root');
  return (
    // On a wall, sizes scale with the height of the screen, or with the width of an upright phone.
    <html
      lang="en"
      data-scheme={data?.choices.colors ?? undefined}
      className={isWall ? 'cursor-none overflow-hidden text-[min(2.6vh,4vw)]' : undefined}
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta
          name="description"
          content="Live readings of the air in a room, such as CO2, VOC, particles and temperature, with their history."
        />
        {/* The `canvas` colour of each scheme (app/ui/palette.ts). */}
        {SCHEMES.map((scheme) => (
          <meta
            key={scheme}
            name="theme-color"
            media={mediaOf(scheme, data?.choices.colors)}
            content={{ light: '#f6f7f9', dark: '#0d1117' }[scheme]}
          />
        ))}
        <Meta />
        <Links />
        {data && data.framedPages.length > 0 && <FrameNote />}
        {isWallAddress && <RenewalWithoutApp />}
      </head>
      <body className="min-h-dvh bg-canvas text-ink">
        {!isWall && (
          <>
            <a
              href="#content"
              className="sr-only rounded-lg focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-20 focus:bg-surface focus:px-4 focus:py-2.5 focus:text-ink focus:underline"
            >
              Skip to content
            </a>
            <HeaderBar
              isOfError={hasFailed}
              hasNotifications={data?.hasNotifications}
              framedPages={data?.framedPages}
            />
          </>
        )}
        <main
          id="content"
          tabIndex={-1}
          className="mx-auto max-w-page px-3 pt-1 pb-12 outline-none sm:px-5 sm:pb-10"
        >
          {children}
        </main>
        {/* Hidden on a wall, because browsers without popovers would show it below. */}
        {data && (
          <div hidden={isWall}>
            <NumbersGuide thresholds={data.thresholds} />
          </div>
        )}
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

export default function App() {
  const data = useLoaderData<typeof loader>();
  const chosen = useChoices(data.choices, data.isFahrenheitUsual);
  const isWall = useIsWall();
  useBrowserAlerts();
  useNewestBuild(data.build);
  useEffect(registerOfflineWorker, []);
  return (
    <ThresholdsContext.Provider value={data.thresholds}>
      <MetricsContext.Provider value={metricsFor(chosen)}>
        <SilentAfterContext.Provider value={data.rules.silentAfterMs}>
          <OutdoorSensorContext.Provider value={data.outdoorSensor}>
            <Outlet context={data} />
          </OutdoorSensorContext.Provider>
          {!isWall && <ChoicesBar {...chosen} isReadKeyNeeded={data.isReadKeyNeeded} />}
          <OpeningNotice build={data.build} />
        </SilentAfterContext.Provider>
      </MetricsContext.Provider>
    </ThresholdsContext.Provider>
  );
}

/** The error page: for unknown pages, rejected requests and unexpected errors. */
export function ErrorBoundary() {
  const error = useRouteError();
  useRenewal(!isRouteErrorResponse(error) || error.status >= 500);
  return (
    <div className="grid gap-4 py-8 [&_a]:text-accent [&_a]:underline">
      <h1 className="text-2xl font-bold">{errorTitle(error)}</h1>
      <ErrorDetail error={error} />
    </div>
  );
}

function errorTitle(error: unknown): string {
  if (!isRouteErrorResponse(error)) return 'Unhandled Thrown Error!';
  return error.status === 404 ? 'Page not found' : `${error.status} ${error.statusText}`;
}

function ErrorDetail({ error }: { error: unknown }) {
  if (!isRouteErrorResponse(error)) {
    return (
      <>
        <p>Something unexpected went wrong. Stored readings are safe.</p>
        <p>
          This page reloads when the server can show it. Reload this page if it doesn't. If the error stays,
          look at the server's output.
        </p>
      </>
    );
  }
  if (error.status !== 404) {
    return (
      <>
        <p>{typeof error.data === 'string' ? error.data : 'The server rejected this request.'}</p>
        {error.status >= 500 && <p>This page reloads when the server can show it.</p>}
      </>
    );
  }
  return (
    <>
      <p>There is nothing at this address. Go to one of these pages:</p>
      <ul className="flex flex-wrap gap-4">
        {PAGE_LINKS.map(({ to, text }) => (
          <li key={to}>
            <Link to={to} reloadDocument className="inline-block min-h-6">
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
