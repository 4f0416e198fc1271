/** One row of the table. */
export interface Figure {
  name: string;
  unit: string;
  value: number;
  /** The baseline's value in the same run. A figure without a baseline is absolute. */
  baseline?: number;
  target: Target;
}

/** A bound for the ratio to the baseline, or for the value if there is no baseline. */
type Target = { atMost: number } | { atLeast: number };

/** A group of figures that are measured together. `--only` selects it by name. */
export interface Measurement {
  name: string;
  measure(): Promise<Figure[]>;
}

/** Returns the ratio of the value to the baseline; undefined without a baseline. */
function ratioOf({ value, baseline }: Figure): number | undefined {
  return baseline === undefined ? undefined : value / baseline;
}

/** Returns true if a figure meets its target. */
export function isMet(figure: Figure): boolean {
  const { target, value } = figure;
  const bounded = ratioOf(figure) ?? value;
  return 'atMost' in target ? bounded <= target.atMost : bounded >= target.atLeast;
}

/** Formats figures as a Markdown table, with older figures in an extra column. */
export function formatTable(figures: readonly Figure[], older: readonly Figure[] = []): string {
  const header = ['figure', 'value', 'baseline', 'ratio', 'target', 'met'];
  if (older.length > 0) header.push('before');
  const rows = figures.map((figure) => {
    const row = [
      figure.name,
      amount(figure.value, figure.unit),
      figure.baseline === undefined ? '' : amount(figure.baseline, figure.unit),
      ratioOf(figure)?.toFixed(2) ?? '',
      formatTarget(figure),
      isMet(figure) ? 'yes' : 'NO',
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
