import { Fragment, type ReactNode } from 'react';

/** Text with `code`. */
export function Prose({ text }: { text: string }) {
  return text.split('`').map((part, i) =>
    i % 2 === 0 ? (
      <Fragment key={part}>{part}</Fragment>
    ) : (
      <code key={part} className="font-mono text-[0.9em] text-ink wrap-anywhere">
        {part}
      </code>
    ),
  );
}

/** Literal text of a request or an answer. Wide lines scroll, with the keyboard too. */
export function Literal({ children }: { children: string }) {
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

export interface Row {
  name: string;
  /** Said beside the name, such as the type. */
  note?: ReactNode;
  children?: ReactNode;
}

/** A list of names with what they mean. */
export function Rows({ rows }: { rows: readonly Row[] }) {
  return (
    <dl className="grid gap-2">
      {rows.map(({ name, note, children }) => (
        <div key={name}>
          <dt>
            <code className="font-mono font-semibold">{name}</code>{' '}
            <span className="text-sm text-muted">{note}</span>
          </dt>
          <dd className="text-muted sm:pl-4">{children}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A heading inside a section. */
export function Heading({ children }: { children: ReactNode }) {
  return <h3 className="mt-4 mb-2 text-sm font-semibold text-muted">{children}</h3>;
}
