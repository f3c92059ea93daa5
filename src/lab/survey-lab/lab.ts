import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { RunningLab, Surroundings } from '../lab.ts';
import { databaseAddress, openLab, practiceServer } from '../openLab.ts';
import { missingNginx, startNginx } from '../programs/nginx.ts';
import { addRole, findPostgresql, missingPostgresql, startPostgresql } from '../programs/postgresql.ts';
import { addSlowClients } from '../slowClients.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';
import { ACCOUNTS, CAMPAIGNS, STREAMS } from './data.ts';
import { MACHINE_HEADER, MACHINES } from './machine.ts';
import { options, type Values } from './options.ts';

const KEEP_ALIVE_SECONDS = 65;
/** Number of connections that are left for a monitor and for those that PostgreSQL reserves. */
const SPARE_CONNECTIONS = 10;
/** Number of connections that PostgreSQL reserves for its administrator. */
const RESERVED_CONNECTIONS = 3;
/** nginx configuration that compresses responses for clients that accept gzip. */
const PACKED = `
    gzip on;
    gzip_types application/json;
    gzip_min_length 200;`;
const ACTIONS = [
  'count-stored',
  'forget-uploads',
  'empty-cache',
  'create-index',
  'drop-index',
  'put-in-order',
  'drop-column',
  'rewrite-query',
  'threads',
] as const;

const gaugesSchema = z.record(z.string(), z.number());

export const surveyLab = practiceServer({
  name: 'survey-lab',
  title: 'Survey server',
  story: 'Phones upload surveys with photos, and a web page reads them. Threads, a queue and a database behind a proxy, as in ohmage.',
  options,
  missing: async (environment) => [
    ...(await missingNginx(environment)),
    ...(await missingPostgresql(environment, 'Without it, SQLite holds the rows and runs one query at a time.')),
  ],
  needs: ({ database }, missing) => (database === 'postgresql' ? missing.map((one) => ({ ...one, needed: true })) : missing),
  startAll,
});

async function startAll(supervisor: Supervisor, values: Values, { environment, onProgress }: Surroundings): Promise<RunningLab> {
  const usesPostgresql = values.database !== 'sqlite' && (await findPostgresql(environment)) !== null;
  if (usesPostgresql) onProgress('creating its own PostgreSQL');
  const allowed =
    values['database-limit'] === null ? values.connections + SPARE_CONNECTIONS : values['database-limit'] + RESERVED_CONNECTIONS;
  const database = usesPostgresql ? await startPostgresql(supervisor, allowed) : null;
  const directory = join(supervisor.directory, 'survey');
  await mkdir(directory);
  onProgress(`filling it with ${values['stream-rows']} rows`);
  const app = await supervisor.part('survey-app', 'survey', {
    log: supervisor.logFile('survey'),
    database: database !== null && values['database-limit'] !== null ? await addRole(database, 'survey') : database,
    directory,
    values,
  });
  const machines = values.machines ? MACHINES : [];
  const nginx = await startNginx(supervisor, {
    port: values.port,
    descriptors: values.descriptors,
    keepAliveSeconds: KEEP_ALIVE_SECONDS,
    server: `${PACKED}${[{ name: '' }, ...machines]
      .map(
        ({ name }) => `
    location /${name === '' ? '' : `${name}/`} {
      proxy_pass http://${new URL(app.url).host}${name === '' ? '' : '/'};
      proxy_read_timeout ${Math.round(values['proxy-timeout-ms'])}ms;
      proxy_set_header Host $http_host;
      proxy_set_header ${MACHINE_HEADER} "${name}";
    }`,
      )
      .join('')}`,
  });
  await addSlowClients(supervisor, nginx.port, values['slow-clients']);
  const addresses = [
    { label: 'Survey server', url: nginx.url, help: 'Through nginx. Its interface is under /app/.' },
    { label: 'Survey server without nginx', url: app.url, help: 'Without the time-out of the proxy.' },
    ...machines.map(({ name, label }) => ({ label, url: `${nginx.url}${name}/`, help: 'The same server on a machine of this size.' })),
    ...(database === null ? [] : [databaseAddress(database)]),
  ];
  return openLab(supervisor, {
    name: surveyLab.name,
    urls: [nginx.url],
    addresses,
    accounts: ACCOUNTS,
    facts: {
      database: database === null ? 'SQLite' : 'PostgreSQL',
      threads: values.threads,
      queue: values.queue,
      connections: values.connections,
      proxyTimeoutMs: values['proxy-timeout-ms'],
      uploadMs: values['upload-ms'],
      campaigns: CAMPAIGNS.map(({ urn }) => urn).join(','),
      campaignCreated: CAMPAIGNS[0]?.created ?? '',
      streams: STREAMS.map(({ id }) => id).join(','),
      streamRows: values['stream-rows'],
    },
    gauges: async () => gaugesSchema.parse(await app.ask('gauges')),
    actions: Object.fromEntries(ACTIONS.map((action) => [action, () => app.ask(action)])),
  });
}
