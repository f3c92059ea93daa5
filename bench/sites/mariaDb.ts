import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { perform } from './programs.ts';

export const MARIADB = '/usr/sbin/mariadbd';
const MAX_CONNECT_ATTEMPTS = 100;

/** Starts a MariaDB on a Unix socket with an empty database `wordpress`. */
export async function startMariaDb(
  folder: string,
): Promise<{ socket: string; ask(query: string): Promise<string>; close(): Promise<void> }> {
  await mkdir(folder, { recursive: true });
  const socket = join(folder, 'db.sock');
  const data = join(folder, 'data');
  const user = process.getuid?.() === 0 ? ['--user=root'] : [];
  await perform('mariadb-install-db', [
    '--no-defaults',
    `--datadir=${data}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    ...user,
  ]);
  const parameters = [
    '--no-defaults',
    `--datadir=${data}`,
    `--socket=${socket}`,
    '--skip-networking',
    `--pid-file=${join(folder, 'pid')}`,
    ...user,
  ];
  const child = spawn(MARIADB, parameters, { stdio: 'ignore' });
  const exited = once(child, 'exit');
  const ask = (query: string, ...more: string[]): Promise<string> =>
    perform('mariadb', [
      '--no-defaults',
      `--socket=${socket}`,
      '--user=root',
      '--batch',
      '--skip-column-names',
      ...more,
      '--execute',
      query,
    ]);
  for (let tries = 0; ; tries += 1) {
    try {
      await ask('create database if not exists wordpress');
      break;
    } catch (error) {
      if (tries >= MAX_CONNECT_ATTEMPTS || child.exitCode !== null) throw error;
      await delay(100);
    }
  }
  return {
    socket,
    ask: (query) => ask(query, 'wordpress'),
    close: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
