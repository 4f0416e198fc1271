/** The OpenAPI document as a page without scripts (`/api/docs`). Functions return HTML. */
import { atBase } from '../base-path';
import stylesheet from '../tailwind.css?url';
import { PAGE_LINKS, WINDOW } from '../ui/header-bar';
import { curlOf, GENERAL_ERRORS, INTRODUCTION, openApiDocument, ROUTES } from './document.server';
import type { Content, Example } from './operation.server';
import {
  alternativesOf,
  describeValues,
  type Json,
  jsonSchema,
  membersOf,
  namedSchemas,
} from './schemas.server';

let page: Promise<string> | undefined;

/** Returns the page. Cached. */
export function apiPage(): Promise<string> {
  // `openApiDocument` does the slow part, converting the schemas, in several event-loop turns.
  page ??= openApiDocument().then(frame);
  return page;
}

const OPERATIONS = Object.entries(ROUTES).flatMap(([path, { get, post, patch, delete: remove }]) =>
  Object.entries({ get, post, patch, delete: remove }).flatMap(([method, operation]) =>
    operation ? [{ path, method, title: `${method.toUpperCase()} ${path}`, operation }] : [],
  ),
);
type Described = (typeof OPERATIONS)[number];

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
const each = <Item>(items: readonly Item[], html: (item: Item, i: number) => string) =>
  items.map(html).join('');

const link = (to: string, text: string, className = '') =>
  `<a href="${to}" class="text-accent underline ${className}">${escaped(text)}</a>`;

/** Escapes text and renders `code`. */
const prose = (text: string) =>
  escaped(text).replace(
    /`([^`]*)`/g,
    '<code class="font-mono text-[0.9em] text-ink wrap-anywhere">$1</code>',
  );

/** A section that looks like the component `Card`. */
const card = (id: string, title: string, content: string) => `
<section id="${id}" aria-labelledby="${id}-title" class="min-w-0 rounded-2xl border border-line bg-surface p-3.5 sm:px-5 sm:py-4">
<h2 id="${id}-title" class="mb-2.5 flex min-h-10 items-center text-[0.9375rem] font-semibold text-muted">${title}</h2>
${content}</section>`;

const part = (title: string, content: string) =>
  content && `<h3 class="mt-4 mb-2 text-sm font-semibold text-muted">${title}</h3>${content}`;

const rows = (content: string) => content && `<dl class="grid gap-2">${content}</dl>`;

const row = (name: string, note: string, content: string) => `<div>
<dt class="wrap-anywhere"><code class="font-mono font-semibold">${escaped(name)}</code> <span class="text-sm text-muted">${note}</span></dt>
<dd class="text-muted sm:pl-4">${content}</dd></div>`;

/** A literal request or answer. Focusable, so that the keyboard can scroll wide lines. */
const literal = (text: string) =>
  `<pre tabindex="0" class="overflow-x-auto rounded-lg border border-line bg-canvas p-3 text-sm"><code class="font-mono">${escaped(text)}</code></pre>`;

/** A schema's values in words, with links to named schemas. */
const values = (schema: Json) =>
  escaped(describeValues(schema)).replace(/\w+/g, (word) =>
    word in namedSchemas() ? link(`#schema-${word}`, word) : word,
  );

const mediaTypes = (content: Content = {}) =>
  `<ul class="text-sm wrap-anywhere">${each(
    Object.entries(content),
    ([type, schema]) => `<li><code class="font-mono">${type}</code>: ${values(jsonSchema(schema))}</li>`,
  )}</ul>`;

function frame(): string {
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>HTTP API – airboard</title>
<link rel="icon" href="${atBase('/favicon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${atBase(stylesheet)}"></head>
<body class="min-h-dvh bg-canvas text-ink">
<header class="mx-auto flex min-h-16 max-w-page flex-wrap items-center justify-between gap-x-4 px-4 sm:px-5">
<div class="flex flex-wrap items-center gap-2">
<svg aria-hidden="true" viewBox="0 0 22 22" class="size-5 shrink-0 fill-none stroke-current stroke-2"><path d="${WINDOW}"/></svg>
<p class="font-semibold max-sm:text-sm">know when to open a window</p>
<p class="text-xs text-muted lg:text-sm">airboard</p></div>
<nav aria-label="Pages" class="-mx-2.5 flex flex-wrap">${each(
    PAGE_LINKS,
    ({ to, text }) =>
      `<a href="${atBase(to)}" class="px-2.5 py-1 text-sm text-muted hover:text-ink lg:text-base">${text}</a>`,
  )}</nav></header>
<main class="mx-auto grid max-w-page grid-cols-1 gap-4 px-3 pb-8 sm:px-5">
<h1 class="text-2xl font-bold">HTTP API</h1>
${card('addresses', 'All addresses', addresses())}
${card('errors', 'Errors', errors())}
${each(OPERATIONS, operationCard)}
<h2 class="pt-4 text-xl font-semibold">Schemas</h2>
${each(Object.entries(namedSchemas()), schemaCard)}
</main></body></html>`;
}

const addresses = () => `<ul class="grid gap-2">${each(
  OPERATIONS,
  ({ title, operation: { id, summary } }) =>
    `<li>${link(`#${id}`, title, 'inline-block min-h-6 font-mono wrap-anywhere')} <span class="text-muted">${prose(summary)}</span></li>`,
)}</ul>
<p class="mt-4 text-muted">${link(atBase('/api/openapi.json'), '/api/openapi.json')} is the same for programs.
${prose('`HEAD` answers as `GET` does, without a body.')}</p>`;

const errors = () =>
  `<p class="mb-3">${prose(INTRODUCTION)}</p>` +
  rows(each(Object.entries(GENERAL_ERRORS), ([status, reason]) => row(status, '', prose(reason))));

function operationCard(described: Described): string {
  const { summary, description, needsKey, parameters = [], body, answers, examples } = described.operation;
  const key = needsKey ? ' Needs the write key if one is set.' : '';
  return card(
    described.operation.id,
    `<code class="font-mono text-base text-ink wrap-anywhere">${described.title}</code>`,
    `<p class="font-semibold">${prose(summary)}</p><p class="text-muted">${prose(description)}${key}</p>` +
      part(
        'Parameters',
        rows(
          each(parameters, ({ name, in: place, schema, description }) =>
            row(
              name,
              (place === 'query' ? '' : `${place}, `) + values(jsonSchema(schema)),
              prose(description),
            ),
          ),
        ),
      ) +
      part(
        'Body',
        body ? `<p class="text-muted">${prose(body.description)}</p>${mediaTypes(body.content)}` : '',
      ) +
      part(
        'Answers',
        rows(
          each(Object.entries(answers), ([status, { description, content, headers = [] }]) =>
            row(
              status,
              headers.length > 0 ? `with ${headers.join(', ')}` : '',
              `${prose(description)} ${content ? mediaTypes(content) : ''}`,
            ),
          ),
        ),
      ) +
      part(
        'Examples',
        each(examples, (example, i) => exampleDetails(described, example, i === 0)),
      ),
  );
}

function exampleDetails({ method, path }: Described, example: Example, isOpen: boolean): string {
  const { title, request, status, answer, settings = {} } = example;
  const names = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  const answered = typeof answer === 'string' ? answer : JSON.stringify(answer, null, 2);
  return `<details ${isOpen ? 'open' : ''} class="mb-2">
<summary class="cursor-pointer py-1">${prose(title)}: ${status}</summary>
<div class="grid grid-cols-1 gap-2 pb-2">
${names.length > 0 ? `<p class="text-sm text-muted wrap-anywhere">With ${escaped(names.join(' and '))}:</p>` : ''}
${literal(curlOf(method, path, request))}${answer === null ? '' : literal(answered)}</div></details>`;
}

const schemaCard = ([name, schema]: [string, Json]) =>
  card(
    `schema-${name}`,
    `<span class="text-base text-ink">${name}</span>`,
    `<p class="mb-3">${prose(String(schema.description ?? ''))}</p>` +
      each(alternativesOf(schema), (alternative) => `<div class="mb-3">${members(alternative)}</div>`),
  );

/** The members of an object and its nested objects. */
const members = (schema: Json): string =>
  rows(
    each(membersOf(schema), ({ name, member, isRequired, objects }) =>
      row(
        name,
        values(member) + (isRequired ? '' : ', optional'),
        prose(String(member.description ?? '')) +
          each(objects, (object) => `<div class="mt-2 border-l border-line pl-3">${members(object)}</div>`),
      ),
    ),
  );
