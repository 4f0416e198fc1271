/** `/api/docs`: the OpenAPI document as a page without scripts. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReactElement, ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import stylesheet from '../tailwind.css?url';
import { Card } from '../ui/card';
import { Icon, PAGE_LINKS, WINDOW } from '../ui/header-bar';
import { curlOf, GENERAL_ERRORS, INTRODUCTION, ROUTES } from './document.server';
import type { Content, Example, Operation } from './operation.server';
import {
  alternativesOf,
  describeValues,
  type Json,
  jsonSchema,
  membersOf,
  namedSchemas,
} from './schemas.server';

const LINK = 'text-accent underline';

let page: Promise<string> | undefined;

/** Returns the page as HTML, made once. */
export function apiPage(): Promise<string> {
  page ??= renderPage();
  return page;
}

const OPERATIONS = Object.entries(ROUTES).flatMap(([path, { get, post }]) =>
  Object.entries({ get, post }).flatMap(([method, operation]) =>
    operation ? [{ path, method, operation }] : [],
  ),
);

/** Renders a section per event-loop turn: all of them take a tenth of a second. */
async function renderPage(): Promise<string> {
  const sections = [
    <Overview key="overview" />,
    ...OPERATIONS.map((operation) => <OperationSection key={operation.operation.id} {...operation} />),
    <h2 key="schemas" className="pt-4 text-xl font-semibold">
      Schemas
    </h2>,
    ...Object.entries(namedSchemas()).map(([name, schema]) => (
      <SchemaSection key={name} name={name} schema={schema} />
    )),
  ];
  const parts: string[] = [];
  for (const section of sections) {
    // Each section numbers its ids from 0.
    parts.push(renderToStaticMarkup(section, { identifierPrefix: String(section.key) }));
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
        <header className="mx-auto flex min-h-16 max-w-page flex-wrap items-center justify-between gap-x-4 px-4 sm:px-5">
          <div className="flex items-center gap-2">
            <Icon path={WINDOW} />
            <p className="font-semibold max-sm:text-sm">know when to open a window</p>
            <p className="text-xs text-muted lg:text-sm">airboard</p>
          </div>
          <nav aria-label="Pages" className="-mx-2.5 flex">
            {PAGE_LINKS.map(({ to, text }) => (
              <a key={to} href={to} className="px-2.5 py-1 text-sm text-muted hover:text-ink lg:text-base">
                {text}
              </a>
            ))}
          </nav>
        </header>
        <main className="mx-auto grid max-w-page gap-4 px-3 pb-8 sm:px-5">{CONTENT}</main>
      </body>
    </html>
  );
}

function Overview() {
  return (
    <>
      <h1 className="text-2xl font-bold">HTTP API</h1>
      <Card title="All addresses">
        <ul className="grid gap-2">
          {OPERATIONS.map(({ path, method, operation: { id, summary } }) => (
            <li key={id}>
              <a href={`#${id}`} className={`font-mono wrap-anywhere ${LINK}`}>
                {method.toUpperCase()} {path}
              </a>{' '}
              <span className="text-muted">{summary}</span>
            </li>
          ))}
        </ul>
        <p className="mt-4 text-muted">
          <a href="/api/openapi.json" className={LINK}>
            /api/openapi.json
          </a>{' '}
          is the same for programs. <Prose text="`HEAD` answers as `GET` does, without a body." />
        </p>
      </Card>
      <Card title="Errors">
        <p className="mb-3">
          <Prose text={INTRODUCTION} />
        </p>
        <Rows>
          {Object.entries(GENERAL_ERRORS).map(([status, reason]) => (
            <Row key={status} name={status}>
              <Prose text={reason} />
            </Row>
          ))}
        </Rows>
      </Card>
    </>
  );
}

interface OperationProps {
  method: string;
  path: string;
  operation: Operation;
}

function OperationSection({ method, path, operation }: OperationProps) {
  const { id, summary, description, needsKey, parameters = [], body, answers, examples } = operation;
  return (
    <div id={id}>
      <Card
        title={
          <code className="font-mono text-base text-ink wrap-anywhere">
            {method.toUpperCase()} {path}
          </code>
        }
      >
        <p className="font-semibold">
          <Prose text={summary} />
        </p>
        <p className="text-muted">
          <Prose text={description} />
          {needsKey && ' Needs the write key if one is set.'}
        </p>
        {parameters.length > 0 && (
          <Part title="Parameters">
            <Rows>
              {parameters.map(({ name, in: place, schema, description }) => (
                <Row
                  key={name}
                  name={name}
                  note={
                    <>
                      {place === 'header' && 'header, '}
                      <Values schema={jsonSchema(schema)} />
                    </>
                  }
                >
                  <Prose text={description} />
                </Row>
              ))}
            </Rows>
          </Part>
        )}
        {body && (
          <Part title="Body">
            <p className="text-muted">
              <Prose text={body.description} />
            </p>
            <MediaTypes content={body.content} />
          </Part>
        )}
        <Part title="Answers">
          <Rows>
            {Object.entries(answers).map(([status, { description, content, headers = [] }]) => (
              <Row key={status} name={status} note={headers.length > 0 && `with ${headers.join(', ')}`}>
                <Prose text={description} /> {content && <MediaTypes content={content} />}
              </Row>
            ))}
          </Rows>
        </Part>
        {examples.length > 0 && (
          <Part title="Examples">
            {examples.map((example, i) => (
              <ExampleDetails key={example.title} {...{ method, path, example }} isOpen={i === 0} />
            ))}
          </Part>
        )}
      </Card>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <h3 className="mt-4 mb-2 text-sm font-semibold text-muted">{title}</h3>
      {children}
    </>
  );
}

function Rows({ children }: { children: ReactNode }) {
  return <dl className="grid gap-2">{children}</dl>;
}

function Row({ name, note, children }: { name: string; note?: ReactNode; children?: ReactNode }) {
  return (
    <div>
      <dt>
        <code className="font-mono font-semibold">{name}</code>{' '}
        <span className="text-sm text-muted">{note}</span>
      </dt>
      <dd className="text-muted sm:pl-4">{children}</dd>
    </div>
  );
}

function MediaTypes({ content }: { content: Content }) {
  return (
    <ul className="text-sm">
      {Object.entries(content).map(([type, schema]) => (
        <li key={type}>
          <code className="font-mono">{type}</code>: <Values schema={jsonSchema(schema)} />
        </li>
      ))}
    </ul>
  );
}

interface ExampleProps {
  method: string;
  path: string;
  example: Example;
  isOpen: boolean;
}

function ExampleDetails({ method, path, example, isOpen }: ExampleProps) {
  const { title, request, status, answer, settings } = example;
  const names = Object.entries(settings ?? {}).map(([name, value]) => `${name}=${value}`);
  return (
    <details open={isOpen} className="mb-2">
      <summary className="cursor-pointer py-1">
        <Prose text={title} />: {status}
      </summary>
      <div className="grid gap-2 pb-2">
        {names.length > 0 && <p className="text-sm text-muted">With {names.join(' and ')}:</p>}
        <Literal>{curlOf(method, path, request)}</Literal>
        {answer !== null && (
          <Literal>{typeof answer === 'string' ? answer : JSON.stringify(answer, null, 2)}</Literal>
        )}
      </div>
    </details>
  );
}

function SchemaSection({ name, schema }: { name: string; schema: Json }) {
  return (
    <div id={`schema-${name}`}>
      <Card title={<span className="text-base text-ink">{name}</span>}>
        <p className="mb-3">
          <Prose text={String(schema.description ?? '')} />
        </p>
        {alternativesOf(schema).map((alternative) => (
          <div key={JSON.stringify(alternative)} className="mb-3">
            <Members schema={alternative} />
          </div>
        ))}
      </Card>
    </div>
  );
}

/** The members of an object, and of the objects in it. */
function Members({ schema }: { schema: Json }) {
  return (
    <Rows>
      {membersOf(schema).map(({ name, member, isRequired, objects }) => (
        <Row
          key={name}
          name={name}
          note={
            <>
              <Values schema={member} />
              {!isRequired && ', optional'}
            </>
          }
        >
          <Prose text={String(member.description ?? '')} />
          {objects.map((object) => (
            <div key={JSON.stringify(object)} className="mt-2 border-l border-line pl-3">
              <Members schema={object} />
            </div>
          ))}
        </Row>
      ))}
    </Rows>
  );
}

/** The values of a schema in words, with links to named schemas. */
function Values({ schema }: { schema: Json }) {
  const text = describeValues(schema);
  return text.split(/\b/).map((word, i) =>
    word in namedSchemas() ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the words never move
      <a key={i} href={`#schema-${word}`} className={LINK}>
        {word}
      </a>
    ) : (
      word
    ),
  );
}

/** Text with `code`. */
function Prose({ text }: { text: string }): ReactElement[] {
  return text.split('`').map((part, i) =>
    i % 2 === 0 ? (
      <span key={part}>{part}</span>
    ) : (
      <code key={part} className="font-mono text-[0.9em] text-ink wrap-anywhere">
        {part}
      </code>
    ),
  );
}

/** A literal request or answer. Wide lines scroll, by keyboard too. */
function Literal({ children }: { children: string }) {
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
      tabIndex={0}
      className="overflow-x-auto rounded-lg border border-line bg-canvas p-3 text-sm"
    >
      <code className="font-mono">{children}</code>
    </pre>
  );
}
