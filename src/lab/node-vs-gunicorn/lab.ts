import { randomInt } from 'node:crypto';
import { readOptions } from '#core/base/lab/readOptions.ts';
import { faultOptions } from '../faults.ts';
import type { RunningLab, Surroundings } from '../lab.ts';
import { openLab, practiceServer } from '../openLab.ts';
import { missingNginx, startNginx } from '../programs/nginx.ts';
import { missingPython, pythonWith } from '../programs/python.ts';
import { addSlowClients } from '../slowClients.ts';
import type { RunningPart, Supervisor } from '../supervisor/supervisor.ts';
import { REQUIREMENTS, startGunicorn } from './gunicorn.ts';
import { options, type Values } from './options.ts';

const KEEP_ALIVE_SECONDS = 65;

export const nodeVsGunicornLab = practiceServer({
  name: 'node-vs-gunicorn',
  title: 'Node or gunicorn',
  story:
    'The same three pages from Node, from gunicorn with blocking workers and from three Nodes, behind nginx. Also two mystery servers.',
  options,
  missing: async (environment) => [...(await missingNginx(environment)), ...(await missingPython(environment))],
  startAll,
});

async function startAll(supervisor: Supervisor, values: Values, surroundings: Surroundings): Promise<RunningLab> {
  const python = await pythonWith(REQUIREMENTS, surroundings);
  const serviceMs = values['service-ms'] / values.scale;
  const proxyTimeoutMs = values['proxy-timeout-ms'] / values.scale;
  const node = (name: string): Promise<RunningPart> =>
    supervisor.part('app', name, { name, log: supervisor.logFile(name), serviceMs, values });
  const replicaNames = Array.from({ length: values.replicas }, (_, index) => `replica-${index + 1}`);
  const hidden = chooseHidden(values);
  const [single, gunicornUrl, mysteries, ...replicas] = await Promise.all([
    node('node'),
    startGunicorn(supervisor, python, values),
    Promise.all(
      hidden.map(({ name, serviceMs, workers }, index) =>
        supervisor.part('mystery', name, {
          name,
          log: supervisor.logFile(name),
          port: values.port === null ? null : values.port + 1 + index,
          serviceMs,
          workers,
          faults: readOptions(faultOptions, { break: values.break }),
        }),
      ),
    ),
    ...replicaNames.map(node),
  ]);
  const nginx = await startNginx(supervisor, {
    port: values.port,
    descriptors: values.descriptors,
    keepAliveSeconds: Math.max(1, Math.round(KEEP_ALIVE_SECONDS / values.scale)),
    http:
      replicas.length === 0
        ? ''
        : `  upstream replicated {\n${replicas.map(({ url }) => `    server ${new URL(url).host};`).join('\n')}\n  }`,
    server: [
      location('/node/', new URL(single.url).host, proxyTimeoutMs),
      location('/gunicorn/', new URL(gunicornUrl).host, proxyTimeoutMs),
      location('/node_replicated/', 'replicated', proxyTimeoutMs),
    ].join('\n'),
  });
  const slowAt = values['slow-clients-at'] === 'gunicorn' ? Number(new URL(gunicornUrl).port) : nginx.port;
  await addSlowClients(supervisor, slowAt, values['slow-clients']);
  const addresses = [
    { label: 'Node', url: `${nginx.url}node/`, help: 'One process. Each of the three has /ping, /timeout and /heavy.' },
    {
      label: 'gunicorn',
      url: `${nginx.url}gunicorn/`,
      help: `Flask, ${values.workers} blocking worker${values.workers === 1 ? '' : 's'}.`,
    },
    { label: 'gunicorn without nginx', url: `${gunicornUrl}/`, help: 'Not for production: a slow client holds a worker.' },
    { label: `Node × ${values.replicas}`, url: `${nginx.url}node_replicated/`, help: 'In turn.' },
    ...mysteries.map(({ url }, index) => ({ label: `Mystery ${index + 1}`, url, help: 'Hides what it is until you reveal it.' })),
  ];
  return openLab(supervisor, {
    name: nodeVsGunicornLab.name,
    urls: addresses.slice(0, 1).map(({ url }) => url),
    addresses,
    facts: {
      scale: values.scale,
      serviceMs,
      proxyTimeoutMs,
      gunicornWorkers: values.workers,
      backlog: values.backlog,
      ...(values['worker-timeout-s'] === null ? {} : { workerTimeoutSeconds: values['worker-timeout-s'] }),
      replicas: values.replicas,
    },
    secrets: hidden.map(({ text }, index) => ({ label: `Mystery ${index + 1}`, text })),
  });
}

function location(prefix: string, host: string, timeoutMs: number): string {
  return `    location ${prefix} {
      proxy_pass http://${host}/;
      proxy_connect_timeout ${Math.round(timeoutMs)}ms;
      proxy_read_timeout ${Math.round(timeoutMs)}ms;
      add_header X-Upstream $upstream_addr always;
    }`;
}

interface Hidden {
  readonly name: string;
  readonly serviceMs: number;
  readonly workers: number | null;
  readonly text: string;
}

const WORKERS = { from: 4, to: 24 };
/** Range of the service times of a mystery server. Steps of 50 ms make it possible to compare an estimate with the chosen value. */
const SERVICE_MS = { from: 300, to: 1_000, step: 50 };

/** Chooses the parameters of the two mystery servers. They are random unless they are given. */
function chooseHidden(values: Values): Hidden[] {
  const workers = values['mystery-workers'] ?? randomInt(WORKERS.from, WORKERS.to + 1);
  const syncMs = values['mystery-sync-ms'] ?? drawServiceMs();
  const asyncMs = values['mystery-async-ms'] ?? drawServiceMs();
  const sync = { serviceMs: syncMs, workers, text: `synchronous: ${workers} workers, ${syncMs} ms each` };
  const async = { serviceMs: asyncMs, workers: null, text: `asynchronous: ${asyncMs} ms, any number at a time` };
  const syncFirst = values['mystery-first'] === 'sync' || (values['mystery-first'] === 'random' && randomInt(2) === 0);
  return (syncFirst ? [sync, async] : [async, sync]).map((server, index) => ({ name: `mystery-${index + 1}`, ...server }));
}

function drawServiceMs(): number {
  return SERVICE_MS.from + SERVICE_MS.step * randomInt((SERVICE_MS.to - SERVICE_MS.from) / SERVICE_MS.step + 1);
}
