import { expect, test } from 'vitest';
import { type Asker, readGate, TooManyReadsError } from '../../app/http/read-gate.server';

const LIMITS = { running: 2, waiting: 3, runningOfAddress: 1, waitingOfAddress: 2 };

/** A gate whose reads end when the test says so. */
function setUp() {
  const gate = readGate(LIMITS);
  const begun: string[] = [];
  const stopped: string[] = [];
  const ends = new Map<string, () => void>();

  function ask(name: string, asker: Partial<Asker> = {}): Promise<string> {
    const client = { address: name, signal: new AbortController().signal, ...asker };
    return gate.run(client, (signal) => {
      begun.push(name);
      signal.addEventListener('abort', () => stopped.push(name));
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
  }

  async function end(name: string): Promise<void> {
    ends.get(name)?.();
    await settled();
  }

  return { ask, begun, stopped, end };
}

/** Lets settled promises run their reactions. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('runs two reads, and starts the others in order as places become free', async () => {
  const { ask, begun, end } = setUp();
  const answers = ['a', 'b', 'c', 'd'].map((name) => ask(name));
  expect(begun).toEqual(['a', 'b']);
  await end('b');
  expect(begun).toEqual(['a', 'b', 'c']);
  for (const name of ['a', 'c', 'd']) await end(name);
  expect(await Promise.all(answers)).toEqual(['a', 'b', 'c', 'd']);
});

test('refuses a read if the queue is full', async () => {
  const { ask } = setUp();
  for (const name of ['a', 'b', 'c', 'd', 'e']) ask(name);
  await expect(ask('f')).rejects.toThrow(TooManyReadsError);
});

test('limits the running and waiting reads of one address', async () => {
  const { ask, begun } = setUp();
  const greedy = { address: 'greedy' };
  for (const name of ['a', 'b', 'c']) ask(name, greedy);
  await expect(ask('d', greedy)).rejects.toThrow(TooManyReadsError);
  ask('other');
  expect(begun).toEqual(['a', 'other']);
});

test('drops a waiting read when its client disconnects, and frees its place', async () => {
  const { ask, begun, end } = setUp();
  const leaving = new AbortController();
  ask('a');
  ask('b');
  const left = expect(ask('c', { signal: leaving.signal })).rejects.toThrow('aborted');
  leaving.abort();
  await left;
  for (const name of ['d', 'e', 'f']) ask(name);
  for (const name of ['a', 'b']) await end(name);
  expect(begun).toEqual(['a', 'b', 'd', 'e']);
});

test('stops a running read when its client disconnects, and keeps its place until it has ended', async () => {
  const { ask, begun, stopped, end } = setUp();
  const leaving = new AbortController();
  const left = expect(ask('a', { signal: leaving.signal })).rejects.toThrow('aborted');
  ask('b');
  ask('c');
  leaving.abort();
  await left;
  expect(stopped).toEqual(['a']);
  expect(begun).toEqual(['a', 'b']);
  await end('a');
  expect(begun).toEqual(['a', 'b', 'c']);
});

test('equal waiting reads share one read, which continues while any of their clients is connected', async () => {
  const { ask, begun, stopped, end } = setUp();
  const question = 'history';
  const [first, second] = [new AbortController(), new AbortController()];
  ask('a', { question });
  const left = expect(ask('b', { question, signal: first.signal })).rejects.toThrow('aborted');
  const shared = ask('c', { question, signal: second.signal });
  // The running read may lack a reading that was stored later.
  expect(begun).toEqual(['a']);
  await end('a');
  expect(begun).toEqual(['a', 'b']);
  first.abort();
  await left;
  expect(stopped).toEqual([]);
  await end('b');
  expect(await shared).toBe('b');
});

test('a failed read fails for all who share it, and frees its place', async () => {
  const gate = readGate({ ...LIMITS, running: 1 });
  const asker = { address: 'a', signal: new AbortController().signal, question: 'q' };
  const fail = () => Promise.reject(new Error('no disk'));
  const answers = [gate.run(asker, fail), gate.run({ ...asker, address: 'b' }, fail)];
  for (const answer of answers) await expect(answer).rejects.toThrow('no disk');
  expect(await gate.run(asker, async () => 'read')).toBe('read');
});
