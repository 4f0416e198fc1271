import { useState } from 'react';
import type { AddressReport, TestAnswer } from '../../readings/air/air-report';
import { Button } from '../button';
import { Card } from '../card';
import { LocalTime } from '../local-time';
import { Notice } from '../notice';
import { useHydrated } from '../use-hydrated';
import { askNotifications } from './ask-notifications';

interface AddressCardProps {
  addresses: readonly AddressReport[];
  writeKey: string | null;
  onKeyRejected(): void;
}

type Test =
  | { kind: 'sending' }
  | { kind: 'refused'; detail: string }
  | { kind: 'answered'; answers: TestAnswer[] };

/** The addresses that are told, each with its last answer, and a button that sends a test to each of them and shows what it answers. */
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
        {addresses.map((report, index) => (
          <li key={report.address} className="flex flex-wrap gap-x-3 wrap-anywhere">
            <span className="font-semibold">{report.address}</span>
            <LastAnswer report={report} />
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

/** Says how it goes with an address: `failing since 10:00:00: HTTP 503, next attempt 10:05:00`. */
function LastAnswer({ report: { last, failingSince, nextAttempt } }: { report: AddressReport }) {
  if (!last) return <span className="text-muted">nothing sent lately</span>;
  if (failingSince === null)
    return (
      <span className="text-muted">
        last delivered <LocalTime time={last.at} />
      </span>
    );
  return (
    <span className="text-fall">
      failing since <LocalTime time={failingSince} />: {last.answer}
      {nextAttempt && (
        <>
          , next attempt <LocalTime time={nextAttempt} />
        </>
      )}
    </span>
  );
}

function Answer({ answer }: { answer?: TestAnswer }) {
  if (!answer) return null;
  const { isDelivered, answer: text } = answer;
  return (
    <span className={isDelivered ? 'text-rise' : 'text-fall'}>
      test {isDelivered ? 'delivered' : 'not delivered'}: {text}
    </span>
  );
}

function statusOf(test: Test | null): string {
  if (test?.kind === 'sending') return 'Sending a test to every address…';
  if (test?.kind !== 'answered') return '';
  const { length } = test.answers.filter(({ isDelivered }) => isDelivered);
  return `The test reached ${length} of ${test.answers.length} ${test.answers.length === 1 ? 'address' : 'addresses'}.`;
}
