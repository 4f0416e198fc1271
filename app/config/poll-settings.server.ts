/** `POLL_URLS`: devices and programs that answer with JSON at an address. */
import { z } from 'zod';
import { METRICS, type MetricField } from '../readings/metric';
import { readName } from '../readings/metric-names.js';
import { cannotConvert, conversionFrom } from '../readings/metric-units.js';
import { nameFault } from '../readings/sensor-name.js';
import { durationMs } from './alert-settings.server';
import { percentDecode } from './notify-address.server';

/** An address to read regularly. */
export interface PolledAddress {
  /** Without a login and a fragment. */
  url: string;
  /** The header with the login. */
  authorization?: string;
  everyMs: number;
  /** The sensor's name; undefined for the one that the device says, or its host. */
  sensor?: string;
  /** The places of metrics in the answer; undefined for a format that airboard knows. */
  paths?: readonly MetricPath[];
}

/** The place of a metric in an answer, such as `data.co2`. */
export interface MetricPath {
  field: MetricField;
  /** Undefined if the setting doesn't say it. */
  unit?: string;
  path: string;
}

export const EVERY_MS = 60_000;
const [LEAST, MOST] = ['1s', '1d'];

const EXPECTED =
  'must be addresses like http://192.168.1.40/air-data/latest#sensor=Bedroom or ' +
  'http://192.168.1.41/state#co2=data.co2&temperature_f=data.temp&every=30s, separated by spaces';

/** Parses addresses. Messages contain no address, because one may have a password or a key. */
export const polledAddresses = z.string().transform((text, context): PolledAddress[] => {
  const found: PolledAddress[] = [];
  for (const [i, each] of text.split(/\s+/).filter(Boolean).entries()) {
    const address = parseAddress(each);
    const isTwice = (other: PolledAddress) =>
      typeof address !== 'string' && other.url === address.url && other.sensor === address.sensor;
    const fault =
      typeof address === 'string'
        ? address
        : found.some(isTwice) && 'is there twice for the same sensor: name it once';
    if (fault) {
      context.addIssue({ code: 'custom', message: `${EXPECTED}. Number ${i + 1} ${fault}` });
      return z.NEVER;
    }
    found.push(address as PolledAddress);
  }
  return found;
});

/** Returns the address, or why it is wrong. */
function parseAddress(text: string): PolledAddress | string {
  const [address = '', fragment = ''] = text.split(/#(.*)/s);
  const url = /^https?:\/\/[^/]/i.test(address) && URL.canParse(address) ? new URL(address) : null;
  if (!url?.hostname) return 'is no address with http:// or https://';
  const login = [url.username, url.password].map(percentDecode).join(':');
  url.username = '';
  url.password = '';
  const paths: MetricPath[] = [];
  let sensor: string | undefined;
  let everyMs: number | null = EVERY_MS;
  for (const part of fragment.split('&').filter(Boolean)) {
    const [key = '', value = ''] = part
      .split(/=(.*)/s)
      .map((each) => percentDecode(each.replaceAll('+', ' ')));
    if (value === '') return `has "${part}", which lacks a value`;
    if (key === 'sensor') {
      const fault = nameFault(value);
      if (fault) return `has a name that ${fault}`;
      sensor = value;
    } else if (key === 'every') {
      everyMs = durationMs(value);
      const isAllowed =
        everyMs && everyMs >= Number(durationMs(LEAST)) && everyMs <= Number(durationMs(MOST));
      if (!everyMs || !isAllowed) return `has "${part}", which is no duration from ${LEAST} to ${MOST}`;
    } else {
      const meaning = meaningOf(key);
      if (typeof meaning === 'string') return `has "${part}", but ${meaning}`;
      if (paths.some(({ field }) => field === meaning.field)) return `has ${meaning.field} twice`;
      paths.push({ ...meaning, path: value });
    }
  }
  return {
    url: url.href,
    everyMs,
    ...(login !== ':' && { authorization: `Basic ${Buffer.from(login).toString('base64')}` }),
    ...(sensor !== undefined && { sensor }),
    ...(paths.length > 0 && { paths }),
  };
}

/** Returns the metric and unit of a key such as `co2` and `temperature_f`, or why it has none. */
function meaningOf(key: string): Omit<MetricPath, 'path'> | string {
  const own = METRICS.find(({ field }) => field === key);
  if (own) return { field: own.field };
  const named = readName(key);
  if (!named) return `"${key}" is neither a metric of airboard nor sensor or every`;
  const { field, unit, or } = named;
  if (unit === undefined)
    return or ? `"${key}" may be ${field} or ${or}` : `"${key}" is called ${field} here`;
  return conversionFrom(unit, field) === undefined ? `it ${cannotConvert(unit, field)}` : { field, unit };
}
