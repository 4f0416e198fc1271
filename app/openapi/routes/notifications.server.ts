import { z } from 'zod';
import { error, invalidParameter, invalidQuery, MISSING_KEY, noStore, OTHER_SITE } from '../answers.server';
import type { Answer, Example, RouteDescription } from '../operation.server';
import { airReport, testAnswer } from '../schemas/notifications.server';

const SET_UP = { NOTIFY_URLS: 'ntfy://127.0.0.1:65000/air-4711', NOTIFY_TIME_ZONE: 'UTC' };
const GUARDED = { ...SET_UP, WRITE_KEY: 'correct-horse-battery' };

const ERRORS: Record<number, Answer> = {
  400: invalidQuery,
  401: error('The write key is missing or wrong.', 'WWW-Authenticate'),
  403: error('The request comes from a page of another site.'),
  404: error("Notifications aren't set up."),
};

const REFUSALS: Example[] = [
  invalidParameter({ limit: '10' }, 'limit', 'is unknown: this address takes no parameters'),
  { ...MISSING_KEY, request: {}, settings: GUARDED },
  { ...OTHER_SITE, settings: SET_UP },
  {
    title: 'Without `NOTIFY_URLS`',
    request: {},
    status: 404,
    answer: {
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: "Notifications aren't set up: the setting NOTIFY_URLS is missing.",
    },
  },
];

/** `/api/notifications`. */
export const notifications: RouteDescription = {
  get: {
    id: 'getNotifications',
    summary: 'Returns how every sensor stands, and what was sent.',
    description: 'What `/notifications` shows.',
    tag: 'notifications',
    needsKey: true,
    answers: {
      200: {
        description: 'The report.',
        content: { 'application/json': airReport },
        headers: ['Airboard-Build'],
      },
      ...ERRORS,
      429: error('A pause after wrong keys.', 'Retry-After'),
      503: noStore,
    },
    examples: [
      {
        title: 'The report of a server without readings',
        request: {},
        status: 200,
        answer: {
          now: '2026-11-22T10:00:00.000Z',
          settings: {
            afterMs: 300_000,
            silentAfterMs: null,
            on: ['poor', 'silent'],
            quiet: null,
            timeZone: 'UTC',
            againMs: null,
          },
          sensors: [],
          sensorCount: 0,
          addresses: [
            { address: 'ntfy://127.0.0.1:65000/…', last: null, failingSince: null, nextAttempt: null },
          ],
          transitions: [],
          messages: [],
        },
        settings: SET_UP,
      },
      ...REFUSALS,
      {
        title: 'After several wrong keys',
        request: { headers: { Authorization: 'Bearer a-guess' } },
        status: 429,
        answer: {
          type: 'about:blank',
          title: 'Too Many Requests',
          status: 429,
          detail: 'Too many wrong write keys came from this address. Try again in 1 s.',
        },
        settings: GUARDED,
        isRepeated: true,
      },
    ],
  },
  post: {
    id: 'sendTest',
    summary: 'Sends a test to every address.',
    description: 'Answers with the answer of each. Tests are at least 10 s apart.',
    tag: 'notifications',
    needsKey: true,
    answers: {
      200: {
        description: 'The answers of the addresses.',
        content: { 'application/json': z.array(testAnswer) },
        headers: ['Airboard-Build'],
      },
      ...ERRORS,
      429: error(
        'A test was sent just now, too many requests came in a minute, or a pause after wrong keys.',
        'Retry-After',
      ),
    },
    examples: [
      {
        title: 'An address that nothing listens at',
        request: {},
        status: 200,
        answer: [
          {
            address: 'ntfy://127.0.0.1:65000/…',
            isDelivered: false,
            answer: 'connect ECONNREFUSED 127.0.0.1:65000',
          },
        ],
        settings: SET_UP,
      },
      {
        title: 'A second test right after it',
        request: {},
        status: 429,
        answer: {
          type: 'about:blank',
          title: 'Too Many Requests',
          status: 429,
          detail: 'A test was sent just now. The next one can be sent in 10 s.',
        },
        settings: SET_UP,
      },
      ...REFUSALS,
    ],
  },
};
