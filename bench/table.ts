import { type Figure, isMet, ratioOf } from './figure';

/** Formats figures as a Markdown table, with older figures in an extra column. */
export function formatTable(figures: readonly Figure[], older: readonly Figure[] = []): string {
  const header = ['figure', 'value', 'baseline', 'ratio', 'target', 'met'];
  if (older.length > 0) header.push('before');
  const rows = figures.map((figure) => {
    const ratio = ratioOf(figure);
    const row = [
      figure.name,
      amount(figure.value, figure.unit),
      figure.baseline === undefined ? '' : amount(figure.baseline, figure.unit),
      ratio === undefined ? '' : ratio.toFixed(2),
      formatTarget(figure),
      { true: 'yes', false: 'NO', undefined: '' }[String(isMet(figure))] ?? '',
    ];
    if (older.length > 0) row.push(formatOlder(older.find(({ name }) => name === figure.name)));
    return row;
  });
  const all = [header, header.map(() => ''), ...rows];
  const widths = header.map((_, column) => Math.max(3, ...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row, line) =>
      row.map((cell, i) => (line === 1 ? '-' : cell).padEnd(widths[i] ?? 0, line === 1 ? '-' : ' ')),
    )
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function formatTarget({ target, baseline, unit }: Figure): string {
  if (!target) return 'recorded';
  const [sign, bound] = 'atMost' in target ? ['≤', target.atMost] : ['≥', target.atLeast];
  return `${sign} ${baseline === undefined ? amount(bound, unit) : bound}`;
}

function formatOlder(figure: Figure | undefined): string {
  if (!figure) return '';
  const ratio = ratioOf(figure);
  return amount(figure.value, figure.unit) + (ratio === undefined ? '' : ` (${ratio.toFixed(2)})`);
}

function amount(value: number, unit: string): string {
  const digits = value >= 100 || Number.isInteger(value) ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${unit}`.trim();
}
