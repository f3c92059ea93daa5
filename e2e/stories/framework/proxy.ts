import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram } from '#lab/programs/find.ts';
import { freePort } from '#lab/freePort.ts';

const POLL_MS = 25;
const READY_WITHIN_MS = 10_000;

export interface Proxy {
  /** Address of the proxy; ends with a slash. */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Runs nginx with this text inside `http { … }`, on a free port instead of port 80, with its files in `directory`. If nginx cannot be
 * started, throws nginx's error.
 */
export async function startProxy(http: string, directory: string): Promise<Proxy> {
  const nginx = await findProgram('nginx', process.env);
  const folder = join(directory, 'proxy');
  const port = await freePort();
  await mkdir(folder);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${kind};`).join(' ');
  const configuration = http.replace('listen 80;', `listen 127.0.0.1:${port};`);
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off;\nworker_processes 1;\npid nginx.pid;\nevents {}\nhttp {\naccess_log off;\n${temporary}\n${configuration}\n}\n`,
  );
  const child = spawn(nginx ?? 'nginx', ['-p', folder, '-e', 'error.log', '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const closed = once(child, 'close');
  let errorOutput = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errorOutput += chunk.toString('utf8');
  });
  const url = `http://127.0.0.1:${port}/`;
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await closed;
  };
  const until = Date.now() + READY_WITHIN_MS;
  // No page supports this method, so the log contains no request that looks like one of a load.
  while (
    !(await fetch(url, { method: 'OPTIONS' }).then(
      () => true,
      () => false,
    ))
  ) {
    if (child.exitCode !== null || Date.now() > until) {
      if (child.exitCode === null) await stop();
      throw new Error(`nginx did not start with this configuration: ${errorOutput.slice(0, 1_000)}`);
    }
    await sleep(POLL_MS);
  }
  return { url, stop };
}
