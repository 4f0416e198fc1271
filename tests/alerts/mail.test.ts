import { createServer } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, expect, test } from 'vitest';
import { alertAddresses } from '../../app/alerts/addresses.server';
import { parseEnv } from '../../app/config/env.server';
import type { AlertEvent } from '../../app/providers/alert-event';
import { alertEvent } from '../support/alerts/alert-changes';
import { hostOf, listen, selfSignedCertificate } from '../support/alerts/receiver';
import { until } from '../support/until';

const CERTIFICATE = selfSignedCertificate();

const cleanUps: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

interface Mail {
  from: string;
  to: string[];
  user: string | undefined;
  isEncrypted: boolean;
  headers: string[];
  text: string;
}

/** Starts a mail server that accepts the password `s:cret` from any user, and keeps the mails. */
async function startMailServer(options: SMTPServerOptions = {}) {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    ...CERTIFICATE,
    allowInsecureAuth: true,
    authOptional: true,
    onAuth: ({ username, password }, _, answer) =>
      password === 's:cret'
        ? answer(null, { user: username })
        : answer(
            new Error(
              `wrong password ${password}: ${btoa(`\0${username}\0${password}`)} ${btoa(`${password}`)}`,
            ),
          ),
    onData: async (stream, { envelope, user, secure }, answer) => {
      let raw = '';
      for await (const part of stream.setEncoding('utf8')) raw += part;
      const [head = '', text = ''] = raw.split(/\r\n\r\n(.*)/s);
      mails.push({
        from: (envelope.mailFrom as { address: string }).address,
        to: envelope.rcptTo.map(({ address }) => address),
        user: user as string | undefined,
        isEncrypted: secure,
        headers: head.replace(/\r\n\s+/g, ' ').split('\r\n'),
        text: text.trim(),
      });
      answer();
    },
    ...options,
  });
  await listen(server.server);
  server.on('error', () => {});
  cleanUps.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { host: hostOf(server.server), mails };
}

function send(
  SMTP_URL: string,
  event: AlertEvent,
  NOTIFY_URLS = 'mailto:ann@example.org',
  signal?: AbortSignal,
) {
  const { alerts } = parseEnv({ NOTIFY_URLS, SMTP_URL });
  const [address] = alerts ? alertAddresses(alerts) : [];
  if (!address) throw new Error('no address');
  return address.send(event, signal ?? new AbortController().signal);
}

const FROM = '?from=airboard@example.org';

test('sends a mail to each recipient, with the id of the event', async () => {
  const { host, mails } = await startMailServer();
  const outcome = await send(
    `smtp://${host}${FROM}`,
    alertEvent(),
    'mailto:ann@example.org,bob+air@example.org',
  );
  expect(outcome).toEqual({ isDelivered: true, text: expect.stringMatching(/^SMTP 250 /) });
  expect(mails).toHaveLength(1);
  expect(mails[0]).toMatchObject({
    from: 'airboard@example.org',
    to: ['ann@example.org', 'bob+air@example.org'],
    isEncrypted: false,
    text: `${alertEvent().text}\r\n\r\n${alertEvent().url}`,
  });
  for (const header of [
    'From: airboard <airboard@example.org>',
    'To: ann@example.org, bob+air@example.org',
    'Subject: Kitchen: poor air',
    'Message-ID: <msg_1@example.org>',
    'Auto-Submitted: auto-generated',
  ]) {
    expect(mails[0]?.headers).toContain(header);
  }
});

test('logs in with the user and password of SMTP_URL, and sends from the user', async () => {
  const { host, mails } = await startMailServer();
  await send(`smtp://ann%40example.org:s%3Acret@${host}`, alertEvent());
  expect(mails[0]).toMatchObject({ user: 'ann@example.org', from: 'ann@example.org' });
});

test('a name with line breaks adds no header and no recipient', async () => {
  const { host, mails } = await startMailServer();
  const title = 'Kitchen\r\nBcc: eve@example.org\r\n\r\nbody: poor air';
  await send(`smtp://${host}${FROM}`, alertEvent({ title, text: 'a\r\n.\r\nMAIL FROM:<eve@example.org>' }));
  expect(mails).toHaveLength(1);
  expect(mails[0]?.to).toEqual(['ann@example.org']);
  expect(mails[0]?.headers).toContain('Subject: Kitchen Bcc: eve@example.org body: poor air');
  expect(mails[0]?.headers.filter((header) => /^bcc/i.test(header))).toEqual([]);
  expect(mails[0]?.text).toContain('MAIL FROM');
});

test('reports a refusal by the mail server, without the password and the recipients', async () => {
  const { host } = await startMailServer();
  const wrong = await send(`smtp://ann%40example.org:another-secret@${host}`, alertEvent());
  expect(wrong).toMatchObject({ isDelivered: false });
  expect(wrong.text).toContain('wrong password …: … …');
  const full = await startMailServer({
    onRcptTo: ({ address }, _, answer) => answer(new Error(`mailbox ${address} is full`)),
  });
  const refused = await send(`smtp://${full.host}${FROM}`, alertEvent());
  expect(refused).toMatchObject({ isDelivered: false });
  expect(refused.text).toContain('mailbox … is full');
});

test('succeeds if one of several recipients is accepted, and reports the number of refused ones', async () => {
  const { host, mails } = await startMailServer({
    onRcptTo: ({ address }, _, answer) => answer(address.startsWith('bob') ? new Error('unknown') : null),
  });
  const outcome = await send(`smtp://${host}${FROM}`, alertEvent(), 'mailto:ann@example.org,bob@example.org');
  expect(outcome).toMatchObject({ isDelivered: true, text: expect.stringContaining('refused for 1 of 2') });
  expect(mails[0]?.to).toEqual(['ann@example.org']);
});

test('sends nothing to a mail server whose certificate has no known issuer', async () => {
  const { host, mails } = await startMailServer({ secure: true });
  const outcome = await send(`smtps://${host}${FROM}`, alertEvent());
  expect(outcome).toMatchObject({ isDelivered: false });
  expect(outcome.text).toMatch(/certificate/i);
  expect(mails).toEqual([]);
});

test('reports a refused connection, a reset and a stalled server', async () => {
  const refused = createServer();
  await listen(refused);
  const host = hostOf(refused);
  await new Promise((resolve) => refused.close(resolve));
  expect(await send(`smtp://${host}${FROM}`, alertEvent())).toMatchObject({
    isDelivered: false,
    text: expect.stringContaining('ECONNREFUSED'),
  });

  const resetting = createServer((socket) => socket.resetAndDestroy());
  await listen(resetting);
  cleanUps.push(() => resetting.close());
  expect(await send(`smtp://${hostOf(resetting)}${FROM}`, alertEvent())).toMatchObject({
    isDelivered: false,
  });

  let isEnded = false;
  const silent = createServer((socket) => {
    // Occasional bytes would defeat a timeout that starts again with each byte.
    const timer = setInterval(() => socket.write('2'), 500);
    socket
      .on('error', () => {})
      .on('close', () => {
        clearInterval(timer);
        isEnded = true;
      });
  });
  await listen(silent);
  cleanUps.push(() => silent.close());
  expect(await send(`smtp://${hostOf(silent)}${FROM}`, alertEvent())).toEqual({
    isDelivered: false,
    text: 'SMTP: no answer within 10 s',
  });
  await until(() => isEnded);
});
