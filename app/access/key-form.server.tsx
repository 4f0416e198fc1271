/** The page that asks for the `READ_KEY`, instead of the page that was asked for. It needs no scripts. */
import { renderToStaticMarkup } from 'react-dom/server';
import { atBase } from '../base-path';
import type { ApiRequest, ApiResponse, Refusal } from '../http/answer';
import { documentHeaders } from '../http/guard/security-headers.server';
import stylesheet from '../tailwind.css?url';
import { Card, Notice } from '../ui/card';
import { Button } from '../ui/controls';
import { Tagline } from '../ui/header-bar';
import { choicesIn, mediaOf, SCHEMES } from '../ui/viewer-choices';

/** The address that takes the form. */
const KEY_ADDRESS = '/read-key';

/** Answers with the form, which returns to the address of the request. */
export function askForKey(request: ApiRequest, refusal: Refusal): ApiResponse {
  return keyForm(request, atBase(request.url.pathname + request.url.search), refusal);
}

/**
 * Answers with the form.
 *
 * @param to the address to return to
 * @param problem says why an entered key was refused
 */
export function keyForm(
  { header }: Pick<ApiRequest, 'header'>,
  to: string,
  { status, headers, detail }: Refusal,
  problem?: string,
): ApiResponse {
  const page = <KeyPage to={to} problem={problem} cookies={header('cookie') ?? ''} />;
  return {
    status,
    headers: {
      ...documentHeaders(KEY_ADDRESS, null, []),
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      ...headers,
    },
    body: `<!DOCTYPE html>${renderToStaticMarkup(page)}`,
    detail,
  };
}

interface KeyPageProps {
  to: string;
  problem?: string;
  cookies: string;
}

function KeyPage({ to, problem, cookies }: KeyPageProps) {
  const { colors } = choicesIn(cookies);
  return (
    <html lang="en" data-scheme={colors ?? undefined}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {SCHEMES.map((scheme) => (
          <meta
            key={scheme}
            name="theme-color"
            media={mediaOf(scheme, colors)}
            content={{ light: '#f6f7f9', dark: '#0d1117' }[scheme]}
          />
        ))}
        <title>Enter the key – airboard</title>
        <link rel="icon" href={atBase('/favicon.svg')} type="image/svg+xml" />
        <link rel="manifest" href={atBase('/manifest.webmanifest')} />
        <link rel="stylesheet" href={atBase(stylesheet)} />
      </head>
      <body className="min-h-dvh bg-canvas text-ink">
        <header className="mx-auto flex min-h-16 max-w-page items-center gap-2 px-3 sm:min-h-14 sm:px-5">
          <Tagline />
        </header>
        <main className="mx-auto max-w-page px-3 pt-1 pb-12 sm:px-5">
          <h1 className="sr-only">airboard</h1>
          <Card title="Enter the key">
            <form method="post" action={atBase(KEY_ADDRESS)} className="grid max-w-md gap-3">
              {problem && <Notice>{problem}</Notice>}
              <label htmlFor="read-key">
                To see the readings of this server, enter its read key. This browser will remember it.
              </label>
              <input type="hidden" name="to" value={to} />
              {/* A user name, because password managers store one with a password. */}
              <input type="text" autoComplete="username" value="airboard" readOnly hidden />
              <input
                id="read-key"
                name="key"
                type="password"
                required
                // biome-ignore lint/a11y/noAutofocus: the page has nothing else.
                autoFocus
                autoComplete="current-password"
                className="min-h-11 rounded-md border border-muted bg-canvas px-3 text-ink"
              />
              <Button look="primary" type="submit" className="justify-self-start">
                Open the page
              </Button>
            </form>
          </Card>
        </main>
      </body>
    </html>
  );
}
