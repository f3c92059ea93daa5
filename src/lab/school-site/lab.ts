import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { forward } from '../link/forward.ts';
import type { RunningLab } from '../lab.ts';
import { openLab, practiceServer } from '../openLab.ts';
import { missingNginx, startNginx } from '../programs/nginx.ts';
import { addSlowClients } from '../slowClients.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';
import { ACCOUNTS } from './shared.ts';
import { CONTENT_PATHS, COUNTS } from './content.ts';
import { options, type Values } from './options.ts';

/**
 * Returns the nginx configuration for the school site's cache, for `http` and `server` of NginxSettings. Each response reports whether it
 * came from the cache.
 */
function cacheConfiguration(
  values: Values,
  directory: string,
  site: string,
  practice: string,
): { readonly http: string; readonly server: string } {
  const { cache } = values;
  const http =
    cache === 'off' ? '' : `  proxy_cache_path "${directory}" levels=1:2 keys_zone=school:10m max_size=200m inactive=1h use_temp_path=off;`;
  const key = cache === 'per-user' ? '$uri$is_args$args$cookie___ac' : '$uri$is_args$args';
  const cacheRules = (by: string): string => `
      proxy_cache school;
      proxy_cache_key "${by}";
      proxy_cache_valid 200 10m;${values['cold-cache'] ? '\n      proxy_cache_bypass 1;\n      proxy_no_cache 1;' : ''}`;
  const pass = `
      proxy_pass http://${site};
      proxy_read_timeout ${Math.round(values['proxy-timeout-ms'])}ms;
      proxy_set_header Host $http_host;
      proxy_pass_header Date;
      add_header X-Cache $upstream_cache_status always;`;
  const server = `
    location / {${pass}
    }
    location /@@practice/ {${pass.replace(site, practice)}
    }
    location ~ \\.cnxmlplus$ {${cache === 'off' ? '' : cacheRules(key)}${cache === 'shared' ? '\n      ssi on;' : ''}${pass}
    }
    location ^~ /++resource++ {${cache === 'off' ? '' : cacheRules('$uri')}${pass}
    }
    location = /@@toolbar { log_subrequest off;${pass}
    }`;
  return { http, server };
}

const KEEP_ALIVE_SECONDS = 65;

const gaugesSchema = z.record(z.string(), z.number());

export const schoolSiteLab = practiceServer({
  name: 'school-site',
  title: 'School site',
  story: 'A site with a login, 15 pages full of images and a practice service with questions, behind a cache. It behaves like Siyavula’s.',
  options,
  missing: missingNginx,
  startAll,
});

async function startAll(supervisor: Supervisor, values: Values): Promise<RunningLab> {
  const shared = { secret: randomBytes(32).toString('base64url'), values };
  const [site, practice, oracle] = await Promise.all([
    supervisor.part('school-site', 'site', {
      ...shared,
      log: supervisor.logFile('site'),
      database: join(supervisor.directory, 'users.sqlite'),
    }),
    supervisor.part('school-practice', 'practice', { ...shared, log: supervisor.logFile('practice') }),
    supervisor.part('school-oracle', 'oracle', { log: supervisor.logFile('oracle'), port: values.port === null ? null : values.port + 1 }),
  ]);
  const directory = join(supervisor.directory, 'cache');
  await mkdir(directory);
  const nginx = await startNginx(supervisor, {
    port: values.port,
    descriptors: values.descriptors,
    keepAliveSeconds: KEEP_ALIVE_SECONDS,
    ...cacheConfiguration(
      values,
      directory,
      await addHop(supervisor, site.url, values['hop-ms']),
      await addHop(supervisor, practice.url, values['hop-ms']),
    ),
  });
  await addSlowClients(supervisor, nginx.port, values['slow-clients']);
  const addresses = [
    { label: 'Site', url: nginx.url, help: `Through nginx. ${COUNTS.pages} pages with ${COUNTS.links} links and ${COUNTS.images} images.` },
    { label: 'Site without nginx', url: site.url, help: 'To measure the cost of the proxy and the effect of its cache.' },
    { label: 'Practice service without nginx', url: practice.url, help: '/@@practice/monassis_status responds OK.' },
    { label: 'Oracle', url: oracle.url, help: '/?templateId=T&seed=S shows the answers to a question.' },
  ];
  return openLab(supervisor, {
    name: schoolSiteLab.name,
    urls: [nginx.url],
    addresses,
    accounts: ACCOUNTS,
    facts: { ...COUNTS, contentPages: CONTENT_PATHS.length, workers: values.workers, serviceMs: values['service-ms'], cache: values.cache },
    gauges: async () => gaugesSchema.parse(Object.assign({}, await site.ask('gauges'), await practice.ask('gauges'))),
    actions: {
      // Deleting the files is enough, because nginx notices missing files and fetches the pages again.
      'empty-cache': async () => {
        for (const name of await readdir(directory)) await rm(join(directory, name), { recursive: true, force: true });
      },
    },
  });
}

/**
 * Returns the address under which nginx reaches a server: a line with a one-way delay if one is configured, otherwise the server itself.
 */
async function addHop(supervisor: Supervisor, url: string, hopMs: number): Promise<string> {
  const { host, hostname, port } = new URL(url);
  if (hopMs === 0) return host;
  const way = await forward({ host: hostname, port: 0 }, { host: hostname, port: Number(port) }, hopMs);
  supervisor.onStop(() => way.close());
  return `${hostname}:${way.port}`;
}
