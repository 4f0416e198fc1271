import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { selfSignedCertificate } from '../alerts/receiver';
import { freePort, temporaryFolder } from '../server/server';
import { until } from '../until';

/** Debian puts it where only root's PATH looks. */
const PROGRAM = ['/usr/sbin/mosquitto', '/usr/bin/mosquitto', '/usr/local/sbin/mosquitto'].find(existsSync);

/** Tells whether there is a broker to test with: Debian's package `mosquitto`. Says so once if there is none. */
export const hasMosquitto = PROGRAM !== undefined;
if (!hasMosquitto)
  console.warn('mosquitto is not installed: the tests with a real MQTT broker are left out.');

export const USER = 'airboard';
/** Characters that have to be percent-encoded in an address. */
export const PASSWORD = 'p@ss:w/rd?#1';

/** A mosquitto that keeps its sessions over restarts, with a user and a password. */
export interface Broker {
  port: number;
  /** Of MQTT over web sockets. */
  webSocketPort: number;
  /** Of MQTT over TLS, for `localhost`. */
  tlsPort: number;
  /** The file with its certificate, which nobody vouches for. */
  certificate: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Everything it has printed: connections, subscriptions and messages. */
  output(): string;
}

export async function startBroker(): Promise<Broker> {
  const folder = temporaryFolder();
  const port = await freePort();
  const webSocketPort = await freePort();
  const tlsPort = await freePort();
  const { key, cert } = selfSignedCertificate();
  const [keyFile, certificate] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  writeFileSync(keyFile, key);
  writeFileSync(certificate, cert);
  const passwords = join(folder, 'passwords');
  execFileSync('mosquitto_passwd', ['-c', '-b', passwords, USER, PASSWORD]);
  const config = join(folder, 'mosquitto.conf');
  writeFileSync(
    config,
    [
      // As root, it would become another user, who may not read this folder.
      ...['user root', 'allow_anonymous false', `password_file ${passwords}`],
      ...['persistence true', `persistence_location ${folder}/`, 'log_type all'],
      ...[`listener ${port} 127.0.0.1`, `listener ${webSocketPort} 127.0.0.1`, 'protocol websockets'],
      ...[`listener ${tlsPort} 127.0.0.1`, `keyfile ${keyFile}`, `certfile ${certificate}`, ''],
    ].join('\n'),
  );
  let child: ChildProcess | undefined;
  let printed = '';
  process.once('exit', () => child?.kill('SIGKILL'));
  const broker: Broker = {
    port,
    webSocketPort,
    tlsPort,
    certificate,
    output: () => printed,
    async start() {
      const started = spawn(PROGRAM as string, ['-c', config], { stdio: ['ignore', 'pipe', 'pipe'] });
      child = started;
      for (const stream of [started.stdout, started.stderr]) {
        stream.setEncoding('utf8').on('data', (text) => {
          printed += text;
        });
      }
      await until(() => {
        if (started.exitCode !== null) throw new Error(`mosquitto ended:\n${printed}`);
        return accepts(port);
      });
    },
    async stop() {
      if (!child || child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
  await broker.start();
  return broker;
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}
