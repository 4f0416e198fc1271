import { Notice } from '../notice';
import { useWriteKey } from '../posting/use-write-key';
import { WriteKeyForm } from '../posting/write-key-form';
import { AddressCard } from './address-card';
import { SensorStates } from './sensor-states';
import { TransitionList } from './transition-list';
import { type KnownReport, useAirReport } from './use-air-report';

interface NotificationsPageProps extends KnownReport {
  isKeyNeeded: boolean;
}

/** The state of every sensor, the addresses with a test, and the newest transitions. Without the write key, nothing of it. */
export function NotificationsPage({ isKeyNeeded, ...initial }: NotificationsPageProps) {
  const access = useWriteKey(isKeyNeeded);
  const { report, problem } = useAirReport(initial, isKeyNeeded, access);
  const { key, isKeyRejected, rememberKey, rejectKey } = access;
  if (isKeyNeeded && key === null)
    return (
      <WriteKeyForm
        title="Notifications"
        purpose="see the notifications of this server"
        isRejected={isKeyRejected}
        onKey={rememberKey}
      />
    );
  return (
    <>
      {problem && <Notice>{problem} Trying again…</Notice>}
      {report && (
        <>
          <SensorStates report={report} />
          <AddressCard addresses={report.addresses} writeKey={key ?? null} onKeyRejected={rejectKey} />
          <TransitionList
            transitions={report.transitions}
            messages={report.messages}
            quiet={report.settings.quiet}
            hasSensorNames={report.sensors.some(({ sensor }) => sensor)}
          />
        </>
      )}
    </>
  );
}
