import { useState } from 'react';
import type { TestAnswer } from '../../readings/air/air-report';
import { Button } from '../button';
import { Card } from '../card';
import { Notice } from '../notice';
import { useHydrated } from '../use-hydrated';
import { askNotifications } from './ask-notifications';

interface AddressCardProps {
  /** With their secrets hidden. */
  addresses: readonly string[];
  writeKey: string | null;
  onKeyRejected(): void;
}

type Test =
  | { kind: 'sending' }
  | { kind: 'refused'; detail: string }
  | { kind: 'answered'; answers: TestAnswer[] };

/** The addresses that are told, and a button that sends a test to each of them and shows what it answers. */
export function AddressCard({ addresses, writeKey, onKeyRejected }: AddressCardProps) {
  const isHydrated = useHydrated();
  const [test, setTest] = useState<Test | null>(null);
  const isSending = test?.kind === 'sending';

  async function send(): Promise<void> {
    setTest({ kind: 'sending' });
    const answer = await askNotifications<TestAnswer[]>('POST', writeKey);
    if (answer.ok) return setTest({ kind: 'answered', answers: answer.value });
    if (answer.isKeyRejected) onKeyRejected();
    else setTest({ kind: 'refused', detail: answer.detail });
  }

  return (
    <Card
      title="Addresses"
      aside={
        <Button disabled={!isHydrated || isSending} onClick={send} className="noscript:hidden">
          Send a test
        </Button>
      }
    >
      <ul className="grid gap-2">
        {addresses.map((address, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two addresses may look the same without their secrets.
          <li key={index} className="flex flex-wrap gap-x-3 wrap-anywhere">
            <span className="font-semibold">{address}</span>
            {test?.kind === 'answered' && <Answer answer={test.answers[index]} />}
          </li>
        ))}
      </ul>
      <p role="status" className="mt-2 text-sm text-muted empty:mt-0">
        {statusOf(test)}
      </p>
      {test?.kind === 'refused' && <Notice>{test.detail}</Notice>}
    </Card>
  );
}

function Answer({ answer }: { answer?: TestAnswer }) {
  if (!answer) return null;
  const { isDelivered, answer: text } = answer;
  return (
    <span className={isDelivered ? 'text-rise' : 'text-fall'}>
      {isDelivered ? 'delivered' : 'not delivered'}: {text}
    </span>
  );
}

function statusOf(test: Test | null): string {
  if (test?.kind === 'sending') return 'Sending a test to every address…';
  if (test?.kind !== 'answered') return '';
  const { length } = test.answers.filter(({ isDelivered }) => isDelivered);
  return `The test reached ${length} of ${test.answers.length} ${test.answers.length === 1 ? 'address' : 'addresses'}.`;
}
