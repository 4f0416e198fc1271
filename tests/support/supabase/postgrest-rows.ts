import { parseReadingTime } from '../../../app/readings/time/reading-time';

/** A row of the table. `micros` is its time in microseconds since 1970, the precision of Postgres. */
export interface Row {
  id: number;
  micros: bigint;
  /** Null for a metric that the sensor doesn't measure. */
  co2: number | null;
  voc: number | null;
  /** Empty for the unnamed sensor. */
  sensor: string;
}

/** Returns the rows that the query selects, in its order. */
export function select<T extends Row>(rows: readonly T[], parameters: URLSearchParams): T[] {
  const conditions: ((row: Row) => boolean)[] = [];
  for (const [name, value] of parameters) {
    if (name === 'or') conditions.push(any(splitList(value.slice(1, -1)).map(condition)));
    else if (!['select', 'order', 'limit', 'offset', 'columns'].includes(name)) {
      conditions.push(condition(`${name}.${value}`));
    }
  }
  const order = (parameters.get('order') ?? 'id.asc').split(',').map((part) => part.split('.'));
  return rows
    .filter((row) => conditions.every((matches) => matches(row)))
    .sort((a, b) => {
      for (const [column = '', direction] of order) {
        const [left, right] = [columnOf(a, column), columnOf(b, column)];
        if (left !== right) return left < right === (direction !== 'desc') ? -1 : 1;
      }
      return 0;
    });
}

/** Formats a time as Postgres does, without trailing zeros. */
export function formatTime(micros: bigint, format: 'hosted' | 'lite'): string {
  const seconds = new Date(Number(micros / 1000n)).toISOString().slice(0, 19);
  const fraction = String(micros % 1_000_000n)
    .padStart(6, '0')
    .replace(/0+$/, '');
  const time = fraction ? `${seconds}.${fraction}` : seconds;
  return format === 'hosted' ? `${time}+00:00` : `${time.replace('T', ' ')}+00`;
}

/** Parses a time that must be in UTC with `Z`: a `+` would have to be encoded. */
export function parseTime(text: string): bigint {
  const micros = text.endsWith('Z') ? parseReadingTime(text) : null;
  if (micros === null) throw new Error(`times must be sent in UTC with Z, not as ${text}`);
  return BigInt(micros);
}

/** Parses one filter, `column.operator.value`, or `and(…)` of several. */
function condition(text: string): (row: Row) => boolean {
  if (text.startsWith('and(')) {
    const parts = splitList(text.slice(4, -1)).map(condition);
    return (row) => parts.every((matches) => matches(row));
  }
  const [, column = '', operator, value = ''] = /^(\w+)\.(\w+)\.(.*)$/s.exec(text) ?? [];
  const limit = column === 'created_at' ? parseTime(value) : column === 'sensor' ? value : Number(value);
  const compare = (row: Row) => {
    const own = columnOf(row, column);
    return own === limit ? 0 : own < limit ? -1 : 1;
  };
  if (operator === 'eq') return (row) => compare(row) === 0;
  if (operator === 'lt') return (row) => compare(row) < 0;
  if (operator === 'lte') return (row) => compare(row) <= 0;
  if (operator === 'gt') return (row) => compare(row) > 0;
  if (operator === 'gte') return (row) => compare(row) >= 0;
  throw new Error(`unsupported filter: ${text}`);
}

const any = (conditions: ((row: Row) => boolean)[]) => (row: Row) =>
  conditions.some((matches) => matches(row));

/** Splits at commas outside parentheses. */
function splitList(text: string): string[] {
  return text.match(/(?:[^,(]|\([^)]*\))+/g) ?? [];
}

function columnOf(row: Row, column: string): bigint | number | string {
  if (column === 'sensor') return row.sensor;
  return column === 'created_at' ? row.micros : row.id;
}
