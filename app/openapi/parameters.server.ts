import { z } from 'zod';
import { MAX_NAME_CHARACTERS } from '../readings/sensor-name.js';
import { header, parameter } from './answers.server';

export const SENSOR = parameter(
  'sensor',
  // A character may have two code units, which JSON Schema counts as one.
  z.string().max(MAX_NAME_CHARACTERS),
  'The name of a sensor; empty for the unnamed one.',
);

/** Without `format: date-time`, which doesn't allow what is read as well: times without seconds or with a space. */
const time = z.string();

export const FROM = parameter('from', time, 'The begin of the span: ISO 8601 with an offset or `Z`.');

export const TO = parameter('to', time, "The end of the span, which isn't part of it.");

/** The parameters of a span of one sensor. */
export const SPAN = [
  parameter(
    'sensor',
    z.string().max(MAX_NAME_CHARACTERS),
    "The sensor's name; empty for the unnamed one. May be left out if there is only one.",
  ),
  parameter(
    'from',
    time,
    "The begin of the span: ISO 8601 with an offset or `Z`, rounded down to a whole second. Left out, it is the sensor's first reading.",
  ),
  parameter(
    'to',
    time,
    "The end of the span, which isn't part of it, rounded up to a whole second. Left out, it is now.",
  ),
];

export const IF_NONE_MATCH = header(
  'If-None-Match',
  z.string(),
  'The `ETag` of an earlier answer: 304 if nothing has changed since.',
);
