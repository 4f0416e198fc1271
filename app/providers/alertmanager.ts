import type { AlertEvent } from './alert-event';
import type { Provider } from './provider';

const LABELS = {
  moderate: { alertname: 'AirModerate', severity: 'warning' },
  poor: { alertname: 'AirPoor', severity: 'critical' },
  silent: { alertname: 'SensorSilent', severity: 'warning' },
};

const YEAR_MS = 365 * 86_400_000;

/**
 * Alertmanager: https://prometheus.io/docs/alerting/latest/alerts_api/. Alertmanager identifies an
 * alert by its labels: each state is an alert, and a new state resolves the others. A silent sensor keeps the alert of
 * its level.
 */
export const alertmanager: Provider = {
  name: 'Alertmanager',
  example: 'alertmanager+http://HOST:9093',
  scheme: 'alertmanager+http',
  takesAll: true,
  request(event, url) {
    const alerts = new URL(url);
    alerts.pathname = `${url.pathname.replace(/\/$/, '')}/api/v2/alerts`;
    return { url: alerts, body: event.kind === 'test' ? [testAlert(event)] : stateAlerts(event) };
  },
};

function stateAlerts(event: AlertEvent) {
  const current = event.kind === 'ended' ? 'good' : event.state;
  const states = (['moderate', 'poor', 'silent'] as const).filter(
    (state) => state === current || current !== 'silent',
  );
  return states.map((state) => {
    const isFiring = state === current;
    return {
      labels: { ...LABELS[state], ...(event.sensor && { sensor: event.sensor }) },
      ...describing(event),
      ...(isFiring && { startsAt: event.since }),
      // Without an end, Alertmanager resolves an alert that isn't sent again within five minutes.
      endsAt: isFiring ? new Date(Date.now() + YEAR_MS).toISOString() : event.at,
    };
  });
}

/** Has no end, so Alertmanager resolves it after five minutes. */
const testAlert = (event: AlertEvent) => ({
  labels: { alertname: 'AirboardTest', severity: 'info' },
  ...describing(event),
});

const describing = ({ title, text, url }: AlertEvent) => ({
  annotations: { summary: title, description: text },
  ...(url && { generatorURL: url }),
});
