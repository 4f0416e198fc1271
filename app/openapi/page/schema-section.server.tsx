import { Card } from '../../ui/card';
import type { Json } from '../schemas/schema.server';
import { Prose, type Row, Rows } from './prose.server';
import { alternativesOf, describeValues, referenceOf } from './schema-text.server';

/** The address of a schema on the page. */
export const schemaId = (name: string) => `schema-${name}`;

/** What a value has to be; the names of schemas are links. */
export function Values({ schema }: { schema: Json }) {
  const inner = schema.type === 'array' ? (schema.items as Json) : schema;
  const names = alternativesOf(inner).flatMap((alternative) => referenceOf(alternative) ?? []);
  return describeValues(schema)
    .split(/\b/)
    .map((word, i) =>
      names.includes(word) ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: the words never move
        <a key={i} href={`#${schemaId(word)}`} className="text-accent underline">
          {word}
        </a>
      ) : (
        word
      ),
    );
}

/** A named schema with its members. */
export function SchemaSection({ name, schema }: { name: string; schema: Json }) {
  return (
    <div id={schemaId(name)}>
      <Card title={<span className="text-base text-ink">{name}</span>}>
        <p className="mb-3">
          <Prose text={String(schema.description ?? '')} />
        </p>
        {alternativesOf(schema).map((alternative) => (
          <div key={JSON.stringify(alternative)} className="mb-3">
            <Members schema={alternative} />
          </div>
        ))}
      </Card>
    </div>
  );
}

/** The members of an object, and of the objects in it. */
function Members({ schema }: { schema: Json }) {
  const required = (schema.required as string[] | undefined) ?? [];
  const properties = Object.entries((schema.properties as Record<string, Json> | undefined) ?? {});
  const rows = properties.map(([name, member]): Row => {
    const parts = alternativesOf(member.type === 'array' ? (member.items as Json) : member);
    return {
      name,
      note: (
        <>
          <Values schema={member} />
          {!required.includes(name) && ', optional'}
        </>
      ),
      children: (
        <>
          <Prose text={String(member.description ?? '')} />
          {parts
            .filter((part) => part.properties)
            .map((part) => (
              <div key={JSON.stringify(part)} className="mt-2 border-l border-line pl-3">
                <Members schema={part} />
              </div>
            ))}
        </>
      ),
    };
  });
  return <Rows rows={rows} />;
}
