import { Card } from '../../ui/card';
import { curlOf } from '../example-request.server';
import type { Content, Example, Operation } from '../operation.server';
import { jsonSchema } from '../schemas/schema.server';
import { Heading, Literal, Prose, Rows } from './prose.server';
import { Values } from './schema-section.server';

interface OperationProps {
  method: string;
  path: string;
  operation: Operation;
}

/** What a route does with a method: its parameters, its answers and examples. */
export function OperationSection({ method, path, operation }: OperationProps) {
  const { id, summary, description, needsKey, parameters = [], body, answers, examples } = operation;
  return (
    <div id={id}>
      <Card
        title={
          <code className="font-mono text-base text-ink wrap-anywhere">
            {method.toUpperCase()} {path}
          </code>
        }
      >
        <p className="font-semibold">
          <Prose text={summary} />
        </p>
        <p className="text-muted">
          <Prose text={description} />
          {needsKey && ' Needs the write key where one is set.'}
        </p>
        {parameters.length > 0 && (
          <>
            <Heading>Parameters</Heading>
            <Rows
              rows={parameters.map((parameter) => ({
                name: parameter.name,
                note: (
                  <>
                    {parameter.in === 'header' && 'header, '}
                    <Values schema={jsonSchema(parameter.schema)} />
                  </>
                ),
                children: <Prose text={parameter.description} />,
              }))}
            />
          </>
        )}
        {body && (
          <>
            <Heading>Body</Heading>
            <p className="mb-2 text-muted">
              <Prose text={body.description} />
            </p>
            <MediaTypes content={body.content} />
          </>
        )}
        <Heading>Answers</Heading>
        <Rows
          rows={Object.entries(answers).map(([status, { description, content, headers = [] }]) => ({
            name: status,
            note: headers.length > 0 && `with ${headers.join(', ')}`,
            children: (
              <>
                <Prose text={description} /> {content && <MediaTypes content={content} />}
              </>
            ),
          }))}
        />
        {examples.length > 0 && <Heading>Examples</Heading>}
        {examples.map((example, i) => (
          <ExampleDetails key={example.title} {...{ method, path, example }} isOpen={i === 0} />
        ))}
      </Card>
    </div>
  );
}

function MediaTypes({ content }: { content: Content }) {
  return (
    <ul className="text-sm">
      {Object.entries(content).map(([type, schema]) => (
        <li key={type}>
          <code className="font-mono">{type}</code>: <Values schema={jsonSchema(schema)} />
        </li>
      ))}
    </ul>
  );
}

interface ExampleProps {
  method: string;
  path: string;
  example: Example;
  isOpen: boolean;
}

function ExampleDetails({ method, path, example, isOpen }: ExampleProps) {
  const { title, request, status, answer, settings } = example;
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer, null, 2);
  const names = Object.entries(settings ?? {}).map(([name, value]) => `${name}=${value}`);
  return (
    <details open={isOpen} className="mb-2">
      <summary className="cursor-pointer py-1">
        <Prose text={title} />: {status}
      </summary>
      <div className="grid gap-2 pb-2">
        {names.length > 0 && <p className="text-sm text-muted">With {names.join(' and ')}:</p>}
        <Literal>{curlOf(method, path, request)}</Literal>
        {answer !== null && <Literal>{text}</Literal>}
      </div>
    </details>
  );
}
