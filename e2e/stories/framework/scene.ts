import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type SshServer, type SshServerOptions, startSshServer } from '#backend/remote/testing/sshServer.ts';
import { startTestBackend, type TestBackend, watchToEnd } from '#backend/testing/backend.ts';
import type { Client } from '#contract/rpc/client.ts';
import type { GivenOptions } from '#core/base/lab/listing.ts';
import { type PlanInput, planSchema } from '#core/plan/schema/plan.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { SeriesResult } from '#core/series/result.ts';
import { type SearchDocument, searchDocumentSchema, type SearchResult } from '#core/search/result.ts';
import { type Series, type SeriesDocument, seriesSchema } from '#core/plan/schema/series.ts';
import { type LabProcess, startLabProcess } from './labProcess.ts';

/** Deliberate faults that every story must detect. */
export const MUTATIONS = ['shift', 'drop'] as const;
export type Mutation = (typeof MUTATIONS)[number];

type SearchOfStory = { readonly kind: SearchDocument['kind']; readonly plan: PlanOfStory; readonly settings?: object };

type OnTable = (table: SeriesResult, stop: () => void) => void;

export type PlanOfStory = Omit<PlanInput, 'holdfast' | 'name'>;

/** The environment of a story: the practice servers that it starts, and an app. */
export interface Scene {
  /**
   * Returns the actual setting of the servers for a setting that the app sees. Both are equal, unless the mutation shifts the actual
   * setting by 20 %. Every story hides one setting.
   */
  hidden(reportedValue: number): number;
  lab(name: string, options: GivenOptions): Promise<LabProcess>;
  /** Blocks each load thread this many times, beginning in the third second. Must be called before anything runs. */
  holdUpGenerator(times: number, ms: number): void;
  /**
   * Starts a host with this name to which the app can log in. The host is an OpenSSH server on this machine, and the story must require
   * `sshd`.
   */
  host(name: string, options?: SshServerOptions): Promise<SshServer>;
  /** Runs a plan until the end of its drain, from this machine or from the given generators. */
  run(plan: PlanOfStory, on?: readonly string[]): Promise<RunResult>;
  /** Resolves with the app itself, for crawls, presets and series. */
  client(): Promise<Client>;
  /** Runs a plan at every level of a series. `onItem` receives the table of the series and may stop the series. */
  series(plan: PlanOfStory, levels: Series['levels'], onItem?: OnTable): Promise<SeriesResult>;
  /** Runs a complete series document in the same way. */
  wholeSeries(document: SeriesDocument, onItem?: OnTable): Promise<SeriesResult>;
  /** Runs a search, either for the breaking point or for the character of a server. */
  search(document: SearchOfStory): Promise<SearchResult>;
  /** Returns a finished run in an export format. */
  exported(result: RunResult, format: 'ab' | 'jmeter' | 'cycles' | 'text' | 'csv' | 'markdown'): Promise<string>;
  /** Folder for the story's files. */
  readonly directory: string;
}

const SHIFT_RATIO = 1.2;
const droppingWorker = new URL('../testing/droppingWorker.ts', import.meta.url);
const agent = new URL('../../../src/agent/main.ts', import.meta.url);
const droppingAgent = new URL('../testing/droppingAgent.ts', import.meta.url);

const busyWorker = new URL('../testing/busyWorker.ts', import.meta.url);

export interface ClosableScene extends Scene {
  /** Whether a setting was hidden. If none is hidden, the shift has no effect. */
  readonly hasHidden: boolean;
  /** Number of seconds in the scene's runs in which this machine was overloaded according to the app. */
  readonly overloadedSeconds: number;
  close(): Promise<void>;
}

/** Returns a function that shifts settings for a mutation. Integers remain whole, and the value always changes. */
export function shiftFor(mutation: Mutation | null): (reportedValue: number) => number {
  if (mutation !== 'shift') return (reportedValue) => reportedValue;
  return (reportedValue) =>
    Number.isInteger(reportedValue) ? Math.max(reportedValue + 1, Math.round(reportedValue * SHIFT_RATIO)) : reportedValue * SHIFT_RATIO;
}

export async function openScene(mutation: Mutation | null): Promise<ClosableScene> {
  const directory = await mkdtemp(join(tmpdir(), 'holdfast-story-'));
  const shift = shiftFor(mutation);
  const labs: LabProcess[] = [];
  const hosts: SshServer[] = [];
  const home = join(directory, 'home');
  const systemKnownHosts = join(directory, 'known_hosts');
  // The hosts of a story are on this machine, so the files that are copied to hosts can import the sources.
  const agentFile = writeEntry(join(directory, 'agent.mjs'), mutation === 'drop' ? droppingAgent : agent);
  let opening: Promise<TestBackend> | null = null;
  let workerEntry = mutation === 'drop' ? droppingWorker : null;
  const openApp = (): Promise<TestBackend> =>
    (opening ??= startTestBackend({
      ...(workerEntry === null ? {} : { workerEntry }),
      agentFile,
      ssh: { home, agentSocket: null, userName: 'root', systemKnownHosts },
    }));
  mkdirSync(home);
  let started = 0;
  let hasHidden = false;
  let overloadedSeconds = 0;
  return {
    directory,
    get hasHidden() {
      return hasHidden;
    },
    get overloadedSeconds() {
      return overloadedSeconds;
    },
    hidden(reportedValue) {
      hasHidden = true;
      return shift(reportedValue);
    },
    async lab(name, options) {
      // Several practice servers may be started at the same time.
      started += 1;
      const lab = await startLabProcess(name, options, join(directory, `logs-${started}`));
      labs.push(lab);
      return lab;
    },
    holdUpGenerator(times, ms) {
      workerEntry = writeEntry(
        join(directory, 'busyWorker.mjs'),
        new URL(`?times=${times}&ms=${ms}${mutation === 'drop' ? '&drop' : ''}`, busyWorker),
      );
    },
    async host(name, options) {
      const server = await startSshServer(options);
      hosts.push(server);
      appendFileSync(systemKnownHosts, server.knownHosts);
      await (
        await openApp()
      ).client.call('hosts.add', { host: { name, address: '127.0.0.1', port: server.port, keyPath: server.clientKey } });
      return server;
    },
    ...appCalls(
      async () => (await openApp()).client,
      (seconds) => (overloadedSeconds += seconds),
    ),
    async close() {
      for (const lab of labs) await lab.stop();
      await (await opening)?.close();
      for (const host of hosts) await host.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

type AppCalls = Pick<Scene, 'run' | 'client' | 'series' | 'wholeSeries' | 'search' | 'exported'>;

/** Returns what a story does in the app. `onOverloaded` gets the seconds in which this machine was overloaded. */
function appCalls(openClient: () => Promise<Client>, onOverloaded: (seconds: number) => void): AppCalls {
  const wholeSeries: Scene['wholeSeries'] = async (document, onItem = () => {}) => {
    const table = await performSeries(await openClient(), document, onItem);
    for (const { runs } of table.rows) for (const { figures } of runs) onOverloaded(figures?.overloadedSeconds ?? 0);
    return table;
  };
  return {
    async run(plan, on) {
      const result = await performRun(await openClient(), plan, on);
      for (const generator of result.generators) onOverloaded(generator.overloadedSeconds);
      return result;
    },
    client: openClient,
    series: (plan, levels, onItem) => {
      const series = seriesSchema.parse({ levels, coolDownSeconds: 0.5 });
      return wholeSeries({ plan: planSchema.parse(storyPlan(plan)), series }, onItem);
    },
    wholeSeries,
    async search(search) {
      const result = await performSearch(await openClient(), search);
      for (const { reading } of result.runs)
        if (reading !== null && 'overloadedSeconds' in reading) onOverloaded(reading.overloadedSeconds);
      return result;
    },
    async exported({ run }, format) {
      const client = await openClient();
      return (await client.call('runs.export', { runId: run.id, format })).content;
    },
  };
}

/** Writes a file that imports a module, and returns its URL. The import keeps the module's query, which an entry's path would lose. */
function writeEntry(path: string, imported: URL): URL {
  writeFileSync(path, `await import(${JSON.stringify(imported.href)});\n`);
  return pathToFileURL(path);
}

const storyPlan = (plan: PlanOfStory): PlanInput => ({ holdfast: 1, name: 'Story', ...plan });

async function performRun(client: Client, plan: PlanOfStory, on?: readonly string[]): Promise<RunResult> {
  const { runId } = await client.call('runs.start', {
    plan: planSchema.parse(storyPlan(plan)),
    ...(on === undefined ? {} : { on: [...on] }),
  });
  await watchToEnd(client, runId);
  return client.call('runs.result', { runId });
}

async function performSeries(client: Client, document: SeriesDocument, onItem: OnTable): Promise<SeriesResult> {
  const { seriesId } = await client.call('series.start', { document });
  const stop = (): void => void client.call('series.stop', { seriesId });
  await new Promise<void>((resolve, reject) => {
    const onEnd = (problem: unknown): void => (problem ? reject(problem) : resolve());
    client.open('series.watch', { seriesId }, { onItem: (table) => onItem(table, stop), onEnd });
  });
  return client.call('series.result', { seriesId });
}

async function performSearch(client: Client, { kind, plan, settings = {} }: SearchOfStory): Promise<SearchResult> {
  const document = searchDocumentSchema.parse({ kind, plan: storyPlan(plan), settings });
  const { searchId } = await client.call('searches.start', { document });
  await new Promise<void>((resolve, reject) => {
    const onEnd = (problem: unknown): void => (problem ? reject(problem) : resolve());
    client.open('searches.watch', { searchId }, { onItem: () => {}, onEnd });
  });
  return client.call('searches.result', { searchId });
}
