import { guardFormula } from '../readings/formula-guard.js';
import type { Reading } from '../readings/reading';
import type { PageFormat } from './stream-pages.server';

/** Readings as CSV by RFC 4180, with a header line. What isn't known is an empty field, the unnamed sensor included. */
export const CSV_FORMAT: PageFormat<Reading> = {
  start: 'created_at,sensor,co2,voc,id\r\n',
  separator: '',
  end: '',
  encode(readings) {
    let text = '';
    let sensor: string | undefined;
    let field = '';
    for (const reading of readings) {
      if (reading.sensor !== sensor) {
        sensor = reading.sensor;
        field = sensor === undefined ? '' : csvField(guardFormula(sensor));
      }
      const { created_at, co2, voc, id } = reading;
      text += `${created_at},${field},${co2 ?? ''},${voc ?? ''},${id}\r\n`;
    }
    return text;
  },
};

/** Quotes a field that any spreadsheet would otherwise split, whatever its list separator and its quotes are. */
function csvField(text: string): string {
  return /[",;'\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
