import { useState } from 'react';
import type { AddressReport, TestAnswer } from '../../readings/air/air-report';
import { Button } from '../button';
import { Card } from '../card';
import { LocalTime } from '../local-time';
import { Notice } from '../notice';
import { useHydrated } from '../use-hydrated';
import { askNotifications } from './use-air-report';

interface AddressCardProps {
  addresses: readonly AddressReport[];
  writeKey: string | null;
  onKeyRejected(): void;
}

interface Test {
  isSending: boolean;
  /** Why the last one wasn't sent; null if it was. */
  problem: string | null;
  /** Of the last one that was sent; null if none was. */
  answers: TestAnswer[] | null;
}

const NO_TEST: Test = { isSending: false, problem: null, answers: null };

/** The addresses, each with its last answer, and a button that sends a test to all of them. */
export function AddressCard({ addresses, writeKey, onKeyRejected }: AddressCardProps) {
  const isHydrated = useHydrated();
  const [test, setTest] = useState(NO_TEST);
  const { isSending, problem, answers } = test;

  async function send(): Promise<void> {
    setTest({ ...test, isSending: true, problem: null });
    const answer = await askNotifications<TestAnswer[]>('POST', writeKey);
    if (answer.ok) return setTest({ ...NO_TEST, answers: answer.value });
    setTest({ ...test, isSending: false, problem: answer.isKeyRejected ? null : answer.detail });
    if (answer.isKeyRejected) onKeyRejected();
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
            <Answer answer={answers?.[index]} />
          </li>
        ))}
      </ul>
      <p role="status" className="mt-2 text-sm text-muted empty:mt-0">
        {statusOf(test)}
      </p>
      {problem !== null && <Notice>{problem}</Notice>}
    </Card>
  );
}

/** Returns the state of an address: `failing since 10:00:00: HTTP 503, next attempt 10:05:00`. */
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

function statusOf({ isSending, answers }: Test): string {
  if (isSending) return 'Sending a test to every address…';
  if (!answers) return '';
  const { length } = answers.filter(({ isDelivered }) => isDelivered);
  return `The test reached ${length} of ${answers.length} ${answers.length === 1 ? 'address' : 'addresses'}.`;
}
