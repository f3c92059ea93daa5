import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Missing } from '#core/base/lab/listing.ts';
import { partFailed } from '../supervisor/program.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';
import { findProgram, installCommand } from './find.ts';
import { freePort } from '../freePort.ts';
import { portInUse } from '../listen.ts';

export interface NginxSettings {
  /** Port of the server; null means a free port. */
  readonly port: number | null;
  /** Maximum number of files, including sockets, that the worker may have open; null: the machine's limit. */
  readonly descriptors: number | null;
  readonly keepAliveSeconds: number;
  /** nginx configuration inside `http { … }` and outside `server`: upstreams and caches. */
  readonly http?: string;
  /** nginx configuration inside `server { … }`: locations. */
  readonly server: string;
}

export interface RunningNginx {
  /** Address of the server; ends with a slash. */
  readonly url: string;
  readonly port: number;
}

const READY_WITHIN_MS = 10_000;
const POLL_MS = 25;
const ATTEMPTS = 5;
const CONNECTIONS = 16_384;

export async function missingNginx(environment: NodeJS.ProcessEnv): Promise<Missing[]> {
  if ((await findProgram('nginx', environment)) !== null) return [];
  return [{ what: 'nginx', why: 'All requests go through nginx.', install: await installCommand('nginx', environment), needed: true }];
}

/**
 * Starts nginx in front of a practice server, with one worker as in the reports. Throws `PORT_IN_USE` or `PART_FAILED`. The access log has
 * one line of JSON per request.
 */
export async function startNginx(supervisor: Supervisor, settings: NginxSettings): Promise<RunningNginx> {
  const file = await findProgram('nginx', supervisor.environment);
  if (file === null) throw partFailed('nginx', 'There is none.');
  const log = supervisor.logFile('nginx');
  await mkdir(join(supervisor.directory, 'nginx-temp'), { recursive: true });
  for (let attempt = 1; ; attempt += 1) {
    const port = settings.port ?? (await freePort());
    const configuration = join(supervisor.directory, 'nginx.conf');
    await writeFile(configuration, nginxConfiguration(settings, port, log));
    const program = await supervisor.program({
      name: 'nginx',
      file,
      args: ['-p', supervisor.directory, '-e', 'nginx-error.log', '-c', configuration],
      isExpectedToEnd: () => !ready,
    });
    let ready = false;
    const url = `http://127.0.0.1:${port}/`;
    const until = Date.now() + READY_WITHIN_MS;
    while (!ready && !program.hasEnded() && Date.now() < until) {
      ready = await responses(`${url}lab-ready`);
      if (!ready) await sleep(POLL_MS);
    }
    if (ready && !program.hasEnded()) return { url, port };
    const inUse = /Address already in use/.test(program.getOutput());
    if (inUse && settings.port === null && attempt < ATTEMPTS) continue;
    if (inUse) throw portInUse(port);
    throw partFailed('nginx', program.getOutput().trim());
  }
}

async function responses(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(1_000), headers: { connection: 'close' } });
    await response.arrayBuffer();
    return response.status === 204;
  } catch {
    return false;
  }
}

function nginxConfiguration({ descriptors, keepAliveSeconds, http = '', server }: NginxSettings, port: number, log: string): string {
  return `daemon off;
worker_processes 1;
${descriptors === null ? '' : `worker_rlimit_nofile ${descriptors};`}
pid nginx.pid;
events { worker_connections ${CONNECTIONS}; }
http {
  log_format lab escape=json '{"endedAtSeconds":"$msec","seconds":"$request_time","server":"nginx","method":"$request_method",'
    '"path":"$request_uri","status":"$status","bytes":"$bytes_sent","upstream":"$upstream_addr","cache":"$upstream_cache_status"}';
  access_log "${log}" lab;
  default_type application/octet-stream;
  client_body_temp_path nginx-temp/body;
  proxy_temp_path nginx-temp/proxy;
  fastcgi_temp_path nginx-temp/fastcgi;
  uwsgi_temp_path nginx-temp/uwsgi;
  scgi_temp_path nginx-temp/scgi;
  client_max_body_size 50m;
  keepalive_timeout ${keepAliveSeconds};
${http}
  server {
    listen 127.0.0.1:${port} backlog=1024;
    location = /lab-ready { access_log off; return 204; }
${server}
  }
}
`;
}
