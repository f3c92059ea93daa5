import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '#lab/freePort.ts';
import { cert, key } from './certificate.ts';

export interface NginxOptions {
  /** Lines for the http block. Other settings keep nginx's defaults, such as 1,000 requests per connection. */
  readonly http?: string;
  /** Lines for the server block. By default, every path responds with a short text. */
  readonly server?: string;
  readonly accessLog?: boolean;
  /** Whether HTTP/2 is enabled: with prior knowledge without TLS, by ALPN with TLS. */
  readonly http2?: boolean;
  /** Whether TLS is enabled, with the test certificate unless the server block names another. */
  readonly isSecure?: boolean;
  /** Core on which it runs, which `taskset` sets. */
  readonly core?: number;
}

/** A real nginx with its own configuration and folder. */
export interface Nginx {
  readonly url: string;
  /** Reloads the configuration. The old worker process then closes all its connections. */
  reload(): void;
  /** Stops nginx gracefully and returns the number of lines in its access log. */
  stop(): Promise<number>;
  /** Stops nginx gracefully and returns the lines of its access log. */
  stopAndRead(): Promise<readonly string[]>;
}

const READY_WITHIN_MS = 30_000;

/**
 * Starts nginx.
 * @throws if nginx is missing, with the command to install it: these tests are never skipped.
 */
export async function startNginx(options: NginxOptions = {}): Promise<Nginx> {
  if (spawnSync('nginx', ['-v']).error !== undefined) {
    throw new Error('nginx is missing. Install it (on Debian and Ubuntu: apt-get install --yes nginx-light) and run the tests again.');
  }
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-nginx-'));
  const port = await freePort();
  await writeFile(join(folder, 'nginx.conf'), configuration(options, port));
  if (ownCertificate(options)) {
    await writeFile(join(folder, 'cert.pem'), cert);
    await writeFile(join(folder, 'key.pem'), key, { mode: 0o600 });
  }
  const command = ['nginx', '-p', folder, '-e', join(folder, 'error.log'), '-c', 'nginx.conf'];
  const [program = '', ...parameters] = options.core === undefined ? command : ['taskset', '-c', String(options.core), ...command];
  const child = spawn(program, parameters, { stdio: 'ignore' });
  await listening(port, child, join(folder, 'error.log'));
  const stopAndRead = async (): Promise<readonly string[]> => {
    child.kill('SIGQUIT');
    await once(child, 'exit');
    const log = await readFile(join(folder, 'access.log'), 'utf8').catch(() => '');
    await rm(folder, { recursive: true });
    return log.split('\n').slice(0, -1);
  };
  const scheme = options.isSecure === true ? 'https' : 'http';
  const reload = (): void => void child.kill('SIGHUP');
  return { url: `${scheme}://127.0.0.1:${port}/`, reload, stop: async () => (await stopAndRead()).length, stopAndRead };
}

function configuration(options: NginxOptions, port: number): string {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${kind};`).join('\n  ');
  return `
daemon off;
worker_processes 1;
pid nginx.pid;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 1024; }
http {
  access_log ${options.accessLog === false ? 'off' : 'access.log'};
  ${paths}
  ${options.http ?? ''}
  server {
    listen 127.0.0.1:${port}${options.isSecure === true ? ' ssl' : ''}${options.http2 === true ? ' http2' : ''};
    ${ownCertificate(options) ? 'ssl_certificate cert.pem; ssl_certificate_key key.pem;' : ''}
    ${options.server ?? 'location / { return 200 "hello world"; }'}
  }
}
`;
}

function ownCertificate({ isSecure, server }: NginxOptions): boolean {
  return isSecure === true && server?.includes('ssl_certificate') !== true;
}

async function listening(port: number, child: ChildProcess, errorLog: string): Promise<void> {
  const until = performance.now() + READY_WITHIN_MS;
  while (child.exitCode === null && performance.now() < until) {
    const socket = connect(port, '127.0.0.1');
    const isUp = await Promise.race([once(socket, 'connect').then(() => true), delay(200).then(() => false)]).catch(() => false);
    socket.destroy();
    if (isUp) return;
    await delay(20);
  }
  throw new Error(`nginx did not start: ${await readFile(errorLog, 'utf8').catch(() => 'no error log')}`);
}
