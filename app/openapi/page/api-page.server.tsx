import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import stylesheet from '../../tailwind.css?url';
import { Card } from '../../ui/card';
import { Icon, WINDOW } from '../../ui/icon';
import { PAGE_LINKS } from '../../ui/page-links';
import { GENERAL_ERRORS, INTRODUCTION } from '../general.server';
import { ROUTES } from '../routes.server';
import { type Json, namedSchemas } from '../schemas/schema.server';
import { OperationSection } from './operation-section.server';
import { Prose, Rows } from './prose.server';
import { SchemaSection } from './schema-section.server';

let page: Promise<string> | undefined;

/** Returns the page of the API as HTML without scripts, which is made when it is asked for first. */
export function apiPage(): Promise<string> {
  page ??= renderPage();
  return page;
}

const OPERATIONS = Object.entries(ROUTES).flatMap(([path, { get, post }]) =>
  Object.entries({ get, post }).flatMap(([method, operation]) =>
    operation ? [{ path, method, operation }] : [],
  ),
);

/** Takes a turn of the event loop for each section: all of them take a tenth of a second. */
async function renderPage(): Promise<string> {
  const sections = [
    <Overview key="overview" />,
    ...OPERATIONS.map((operation) => <OperationSection key={operation.operation.id} {...operation} />),
    <h2 key="schemas" className="pt-4 text-xl font-semibold">
      What bodies have
    </h2>,
    ...Object.entries(namedSchemas()).map(([name, schema]) => (
      <SchemaSection key={name} name={name} schema={schema as Json} />
    )),
  ];
  const parts: string[] = [];
  for (const section of sections) {
    // Each section numbers its ids from 0.
    parts.push(renderToStaticMarkup(section as ReactElement, { identifierPrefix: String(section.key) }));
    await nextTurn();
  }
  const [before, after] = renderToStaticMarkup(<Frame />).split(CONTENT);
  return `<!DOCTYPE html>${before}${parts.join('')}${after}`;
}

/** Stands for the sections in the frame. */
const CONTENT = '%content%';

function Frame() {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>HTTP API – airboard</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href={stylesheet} />
      </head>
      <body className="min-h-dvh bg-canvas text-ink">
        <header className="mx-auto flex min-h-16 max-w-[75rem] flex-wrap items-center justify-between gap-x-4 px-4 sm:px-5">
          <p className="flex items-center gap-2 leading-6 font-semibold">
            <Icon path={WINDOW} />
            know when to open a window
          </p>
          <nav aria-label="Pages" className="-mx-2.5 flex">
            {PAGE_LINKS.map(({ to, text }) => (
              <a key={to} href={to} className="px-2.5 py-1 text-sm text-muted hover:text-ink lg:text-base">
                {text}
              </a>
            ))}
          </nav>
        </header>
        <main className="mx-auto grid max-w-[75rem] gap-4 px-3 pb-8 sm:px-5">{CONTENT}</main>
      </body>
    </html>
  );
}

function Overview() {
  const link = 'text-accent underline';
  return (
    <>
      <h1 className="text-2xl font-bold">HTTP API</h1>
      <Card title="All addresses">
        <ul className="grid gap-2">
          {OPERATIONS.map(({ path, method, operation: { id, summary } }) => (
            <li key={id}>
              <a href={`#${id}`} className={`font-mono wrap-anywhere ${link}`}>
                {method.toUpperCase()} {path}
              </a>{' '}
              <span className="text-muted">{summary}</span>
            </li>
          ))}
        </ul>
        <p className="mt-4 text-muted">
          <a href="/api/openapi.json" className={link}>
            /api/openapi.json
          </a>{' '}
          says the same to programs. <Prose text="`HEAD` answers as `GET` does, without a body." />
        </p>
      </Card>
      <Card title="Errors">
        <p className="mb-3">
          <Prose text={INTRODUCTION} />
        </p>
        <Rows
          rows={Object.entries(GENERAL_ERRORS).map(([status, reason]) => ({
            name: status,
            children: <Prose text={reason} />,
          }))}
        />
      </Card>
    </>
  );
}
