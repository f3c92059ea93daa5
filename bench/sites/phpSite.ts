import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Nginx, startNginx } from '#workers/testing/nginx.ts';

const PROGRAMS = '/usr/sbin';
const PROCESSES = 4;
const START_WITHIN_MS = 10_000;

export interface PhpSite {
  /** Folder of the pages. */
  readonly root: string;
  /** Lines of the server block that select scripts. */
  readonly locations: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts nginx and PHP-FPM of this machine with separate configurations for a PHP folder. */
export async function startPhp(
  folder: string,
  { root, locations, environment = {} }: PhpSite,
): Promise<{ url: string; close(): Promise<void> }> {
  await mkdir(folder, { recursive: true });
  const program = readdirSync(PROGRAMS).find((name) => name.startsWith('php-fpm'));
  if (program === undefined) throw new Error('There is no PHP-FPM.');
  const socket = join(folder, 'php.sock');
  const isRoot = process.getuid?.() === 0;
  const configuration = [
    '[global]',
    'daemonize = no',
    `error_log = ${join(folder, 'php.log')}`,
    '[site]',
    ...(isRoot ? ['user = root', 'group = root'] : []),
    `listen = ${socket}`,
    'pm = static',
    `pm.max_children = ${PROCESSES}`,
    'clear_env = no',
    ...Object.entries(environment).map(([name, value]) => `env[${name}] = ${value}`),
    'php_admin_value[memory_limit] = 256M',
    'catch_workers_output = yes',
  ];
  const file = join(folder, 'php-fpm.conf');
  await writeFile(file, `${configuration.join('\n')}\n`);
  const child = spawn(join(PROGRAMS, program), [...(isRoot ? ['-R'] : []), '-y', file], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
  };
  const giveUpAtMs = performance.now() + START_WITHIN_MS;
  while (!existsSync(socket)) {
    if (child.exitCode !== null || performance.now() > giveUpAtMs) {
      await stop();
      throw new Error(`PHP-FPM did not start: ${await readFile(join(folder, 'php.log'), 'utf8').catch(() => 'no log')}`);
    }
    await delay(50);
  }
  let nginx: Nginx;
  try {
    nginx = await startNginx({
      accessLog: false,
      http: 'include /etc/nginx/mime.types; client_max_body_size 16m; fastcgi_buffers 16 64k; fastcgi_buffer_size 64k;',
      server: `
        root ${root};
        index index.php;
        ${locations}
        location ~ \\.php(/|$) {
          fastcgi_split_path_info ^(.+\\.php)(/.*)$;
          include /etc/nginx/fastcgi_params;
          # Debian's file leaves out the port.
          fastcgi_param HTTP_HOST $http_host;
          fastcgi_param SCRIPT_FILENAME $document_root$fastcgi_script_name;
          fastcgi_param PATH_INFO $fastcgi_path_info;
          fastcgi_pass unix:${socket};
        }`,
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: nginx.url,
    close: async () => {
      await nginx.stop();
      await stop();
    },
  };
}
