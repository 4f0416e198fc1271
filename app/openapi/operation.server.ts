import type { z } from 'zod';

/** The description of a route: what it does with each method. `HEAD` is that of `GET` without a body. */
export interface RouteDescription {
  get?: Operation;
  post?: Operation;
}

/** What a route does with a method. Texts are Markdown, of which the page of the API shows `code`. */
export interface Operation {
  /** A verb and a noun, such as `listSensors`: programs that are made from the document call it so. */
  id: string;
  summary: string;
  description: string;
  tag: Tag;
  /** Set if it needs the write key where one is set. */
  needsKey?: true;
  parameters?: Parameter[];
  body?: { description: string; content: Content };
  answers: Record<number, Answer>;
  /** Sent to a server and compared with its answers by tests/server/openapi.test.ts, in this order. */
  examples: Example[];
}

/** The parts of the API. */
export type Tag = 'readings' | 'history' | 'notifications' | 'server';

export interface Parameter {
  name: string;
  in: 'query' | 'header';
  description: string;
  schema: z.ZodType;
}

/** What a body has, by its media type. */
export type Content = Record<string, z.ZodType>;

export interface Answer {
  description: string;
  /** Left out for an answer without a body. */
  content?: Content;
  /** Names of `HEADERS`. */
  headers?: string[];
}

/** A request and its literal answer. */
export interface Example {
  /** What is done, in a few words. */
  title: string;
  request: ExampleRequest;
  status: number;
  /** Its `Content-Type`, if the answer has several. */
  type?: string;
  /** JSON, or text. */
  answer: unknown;
  /** Settings of the server. */
  settings?: Record<string, string>;
  /** Set if only the last of several such requests gets this answer. */
  isRepeated?: true;
  /** Set if the store can't be used. */
  isWithoutStore?: true;
}

export interface ExampleRequest {
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** JSON, or text. */
  body?: unknown;
}
