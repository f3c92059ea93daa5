import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { z } from 'zod';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import type { Measurement } from './commands.ts';
import { formatFigure } from './output/table.ts';
import { integer, names, readOptions } from './running/readOptions.ts';
import { runCommand } from './running/runCommand.ts';
import type { PushLog } from './targets/pushServer.ts';
import { startServer } from './targets/startServer.ts';

const KINDS = ['events', 'websocket'] as const;
const GROUPS = 10;
const EVENTS_PER_SECOND = 20;
const CUT_CONNECTIONS = 500;
/** Number of listeners that connect per second, and seconds between the end of the start-up and the start of the log. */
const ARRIVALS_PER_SECOND = 1_000;
const SETTLE_SECONDS = 5;
const SECONDS = 30;
const CORES = { target: 0, generator: 1 };

const OPTIONS = { listeners: integer('number of simultaneous streams', 10_000, 20_000), kind: names('kinds of streams', KINDS) };

const readingSchema = z.object({
  counts: z.record(z.string(), z.number()),
  errors: z.record(z.string(), z.number()),
  delayUs: z.object({ p50: z.number().nullable(), p99: z.number().nullable() }),
});

/**
 * Returns the measurement of the memory for many listeners and of their delays, compared with the publisher's own log: first for event
 * streams, then for WebSockets.
 */
export function readListeners(parameters: readonly string[]): Measurement {
  const options = readOptions('listeners', OPTIONS, parameters);
  if (typeof options === 'string') return () => console.log(options);
  const { listeners, kind } = options;
  return async (signal, print) => {
    const engine = await buildEngine();
    const rows: string[] = [];
    for (const each of kind) {
      print(`${listeners} of ${each} …`);
      rows.push(await measure(each, listeners, engine, signal));
    }
    console.log(
      [
        `${listeners} listeners, ${EVENTS_PER_SECOND} events/s, each to a tenth of them. Publisher: until the kernel had the event.`,
        '',
        '| kind | peak, MB | cores | opened / log | events | p50, ms | publisher | p99, ms | publisher | cut / log | missed |',
        '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
        ...rows,
      ].join('\n'),
    );
  };
}

/**
 * Builds the two files of the engine as for a release. If it ran from sources, the process would also hold the sources and the type
 * stripper in memory.
 */
async function buildEngine(): Promise<{ readonly script: string; readonly worker: string }> {
  const root = fileURLToPath(new URL('../', import.meta.url));
  const outDir = join(root, '.build/listeners');
  const input = { script: join(root, 'bench/scripts/listenersRun.ts'), worker: join(root, 'workers/loadWorker.ts') };
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: { ssr: true, outDir, emptyOutDir: true, rollupOptions: { input, output: { entryFileNames: '[name].mjs' } } },
  });
  return { script: join(outDir, 'script.mjs'), worker: join(outDir, 'worker.mjs') };
}

async function measure(
  kind: (typeof KINDS)[number],
  listeners: number,
  engine: Awaited<ReturnType<typeof buildEngine>>,
  signal: AbortSignal,
): Promise<string> {
  const startUp = Math.ceil(listeners / ARRIVALS_PER_SECOND);
  const server = await startServer({
    script: new URL('targets/pushServer.ts', import.meta.url),
    settings: { kind, eventsPerSecond: EVENTS_PER_SECOND, groups: GROUPS, cut: CUT_CONNECTIONS },
    core: CORES.target,
  });
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-listeners-'));
  const readPushLog = async (path: string): Promise<PushLog> => (await (await fetch(`${server.url}${path}`)).json()) as PushLog;
  try {
    const plan = join(folder, 'plan.json');
    await writeFile(plan, JSON.stringify(getPlan(kind, server.url, listeners, startUp)));
    const logFrom = startUp + SETTLE_SECONDS;
    const running = runCommand(
      { program: process.execPath, parameters: [engine.script, plan, String(logFrom), engine.worker] },
      { core: CORES.generator, timeoutSeconds: startUp + SECONDS + 60, signal },
    );
    running.catch(() => {});
    await delay((logFrom + 1) * 1_000, undefined, { signal });
    await readPushLog('/forget');
    await delay((SECONDS - 2 * SETTLE_SECONDS) * 1_000, undefined, { signal });
    const published = await readPushLog('/log');
    await readPushLog('/cut');
    const { stdout, peakBytes, midRunCores } = await running;
    const last = await readPushLog('/log');
    const { counts, delayUs } = readingSchema.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
    const { ended = 0, lost = 0, opened = 0, events = 0, missed = 0 } = counts;
    const formatMs = (us: number | null): string => formatFigure(us === null ? null : us / 1_000, 2);
    return `| ${[
      kind,
      formatFigure(peakBytes === null ? null : peakBytes / 1e6, 0),
      formatFigure(midRunCores, 2),
      `${opened} / ${last.opened}`,
      events,
      formatMs(delayUs.p50),
      formatMs(published.delayUs.p50),
      formatMs(delayUs.p99),
      formatMs(published.delayUs.p99),
      `${ended + lost} / ${last.cut}`,
      missed,
    ].join(' | ')} |`;
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function getPlan(kind: (typeof KINDS)[number], url: string, listeners: number, startUpSeconds: number): PlanInput {
  return {
    holdfast: 1,
    name: 'listeners',
    engine: 'native',
    threads: 1,
    targets: [{ url }],
    journey: [
      {
        name: 'events',
        path: '/events',
        stream: { kind, sentAt: { from: 'data', path: '$.at', unit: 'microseconds' }, number: { from: 'data', path: '$.n' } },
      },
    ],
    load: { model: 'users', stages: [{ users: listeners, startUpSeconds, seconds: SECONDS }] },
  };
}
