import { connect } from 'node:net';
import type { MonitorWay } from '../source.ts';
import type { SshConnection } from '#backend/remote/ssh/connection.ts';

const secret: MonitorWay['secret'] = (value) => (typeof value === 'string' ? value : value.secret);

/** Connects from this computer. Secret references are returned instead of the secrets. */
export const LOCAL_WAY: MonitorWay = {
  connection: null,
  secret,
  connect: (address) =>
    new Promise((resolve, reject) => {
      const socket = address.startsWith('/') ? connect(address) : connect(Number(address.split(':').at(-1)), address.replace(/:\d+$/, ''));
      socket.once('connect', () => resolve(socket)).once('error', reject);
    }),
};

/** Connects through a host. */
export function wayThrough(connection: SshConnection): MonitorWay {
  return { connection, secret, connect: (address) => connection.openWay(address.replace(/:\d+$/, ''), Number(address.split(':').at(-1))) };
}
