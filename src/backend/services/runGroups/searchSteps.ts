import { performance } from 'node:perf_hooks';
import { isLoadedHere } from '#core/plan/hosts/generatorNames.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { IdleReading } from '#core/search/characterize/reading.ts';
import type { SearchDocument } from '#core/search/result.ts';
import type { SearchRun, SearchStep } from '#core/search/run.ts';
import { chooseNextStep } from '#core/search/search.ts';
import type { CommandRecord } from '#core/series/result.ts';
import type { RunEvent } from '#core/result/schema.ts';
import { maxThreads } from '#engine/loadParts.ts';
import type { ResultThread } from '#backend/results/resultThread.ts';
import { type TargetConnection, openSocket } from '../targets/targetConnection.ts';
import { readBaseline, waitForBaseline, type TargetConnections } from './pauses.ts';
import { commandEvent, commandFailure, runCommand } from '../runCommand.ts';
import type { NextStep, Steps, StepWork } from './runGroupSession.ts';

interface SearchStepsParts {
  readonly results: Pick<ResultThread, 'read'>;
  /** Returns plan and connection for single requests to the target. */
  readonly way: () => Promise<{ readonly plan: Plan; readonly connection: TargetConnection }>;
  readonly clean: (text: string) => string;
  /** Marks all rows of single-use feeds as unused, because the server was reset. */
  readonly reuseRows: (plan: Plan) => Promise<void>;
  /** Resolves when the user confirms that the server is reset, or when the search is stopped. */
  readonly untilReset: (signal: AbortSignal) => Promise<void>;
}

/** Maximum time before a run in which a server must accept a connection. */
const READY_SECONDS = 30;

/** The reading if this computer sends no part of the load. */
const UNREACHABLE_READING: IdleReading = {
  kind: 'idle',
  closedAfterSeconds: null,
  watchedSeconds: 0,
  statedSeconds: null,
  statedRequests: null,
  problem: 'Only this computer measures idle connections, and it sends no part of this load.',
};

type RunStep = Extract<SearchStep, { kind: 'run' }>;
type IdleStep = Extract<SearchStep, { kind: 'idle' }>;
type RunOutcome = Pick<SearchRun, 'state' | 'reason' | 'reading' | 'requests'>;

/** The steps of a search. Each step is chosen by the results of the earlier ones. */
export class SearchSteps implements Steps {
  private readonly parts: SearchStepsParts;
  private readonly work: StepWork<SearchRun>;
  private readonly document: SearchDocument;
  private readonly runs: SearchRun[] = [];
  private place: TargetConnections = { endpoints: new Set(), baseline: null };

  constructor(parts: SearchStepsParts, work: StepWork<SearchRun>, document: SearchDocument) {
    this.parts = parts;
    this.work = work;
    this.document = document;
  }

  /** Counts connections before the first run, because runs may leave some open. */
  async prepare(): Promise<void> {
    this.place = await readBaseline(this.document.plan, this.document.on);
  }

  next(): NextStep {
    const step = chooseNextStep(this.document, this.runs);
    if (step.kind === 'end') return step;
    return { perform: () => (step.kind === 'idle' ? this.readIdleTime(step) : this.perform(step)) };
  }

  /** Stores nothing, because the remaining steps of a search are unknown. */
  leave(): void {}

  private async perform(step: RunStep): Promise<void> {
    const startedMs = performance.now();
    const { purpose, name, level, repeat } = step;
    let run: SearchRun = { ...this.newRun(purpose, name), level, repeat };
    const save = (changes: Partial<SearchRun>): void => {
      run = { ...run, ...changes, spentSeconds: (performance.now() - startedMs) / 1_000 };
      this.save(run);
    };
    save({});
    const before = await this.reset(step, save);
    const failed = before.find(({ problem }) => problem !== null);
    if (run.phase !== 'ready') save({ phase: 'ready' });
    const outcome: RunOutcome =
      failed === undefined
        ? await this.load(step, before.map(commandEvent), save)
        : { state: 'notRun', reason: commandFailure(failed), reading: null, requests: 0 };
    save({ ...outcome, state: 'running', phase: 'rest' });
    if (run.runId !== null) await waitForBaseline(this.place, this.document.settings, this.work.signal);
    save({ ...outcome, phase: null });
  }

  /**
   * Resets the server before a level by commands, and waits until the user has reset it if the search requires that. Returns the records of
   * the commands, up to the first failure.
   */
  private async reset({ purpose, name, plan, repeat }: RunStep, save: (changes: Partial<SearchRun>) => void): Promise<CommandRecord[]> {
    const { document, parts, work, runs } = this;
    if (purpose !== 'level' || document.kind !== 'breakingPoint') return [];
    const { before, waitsForReset } = document.settings;
    const records: CommandRecord[] = [];
    const environment = { HOLDFAST_CELL: name, HOLDFAST_REPEAT: String(repeat), HOLDFAST_TARGET: plan.targets[0]?.url ?? '' };
    for (const command of before) {
      save({ phase: 'before' });
      records.push(await runCommand(command, { when: 'before', environment, signal: work.signal, clean: parts.clean }));
      if (records.at(-1)?.problem !== null) return records;
    }
    const isLater = runs.some((run) => run.purpose === 'level' && run.state !== 'running');
    if (waitsForReset && isLater) {
      save({ phase: 'reset' });
      await parts.untilReset(work.signal);
      if (work.signal.aborted) return records;
    }
    if (before.length > 0 || (waitsForReset && isLater)) await parts.reuseRows(plan);
    return records;
  }

  private async load(step: RunStep, events: readonly RunEvent[], save: (changes: Partial<SearchRun>) => void): Promise<RunOutcome> {
    const { document, work } = this;
    const { plan, name, repeat, purpose, level } = step;
    const outcome = await work.load({
      plan,
      on: generatorsFor(plan, document.on),
      readySeconds: isLoadedHere(document.on) ? READY_SECONDS : null,
      cell: name,
      repeat,
      events,
      onVisits: () => save({ phase: 'visits' }),
      onStarted: (runId) => save({ runId, phase: 'load' }),
      read: async (runId): Promise<RunOutcome> => {
        const read = await this.parts.results.read('own.searchRun', { runId, document, of: { purpose, level } });
        // A run that the user stopped gives no reading for its level, whereas a run that a safety limit ended gives one.
        return work.signal.aborted ? { ...read, state: 'aborted', reason: work.stopText, reading: null } : read;
      },
    });
    if ('reading' in outcome) return outcome;
    return { state: outcome.state === 'unread' ? 'unread' : 'notRun', reason: outcome.reason, reading: null, requests: 0 };
  }

  private async readIdleTime({ purpose, name, seconds }: IdleStep): Promise<void> {
    const startedMs = performance.now();
    const run: SearchRun = { ...this.newRun(purpose, name), phase: 'load' };
    this.save(run);
    if (!isLoadedHere(this.document.on)) return this.save({ ...run, state: 'value', phase: null, reading: UNREACHABLE_READING });
    const { plan, connection } = await this.parts.way();
    const reading = await watchIdle(plan, connection, seconds, this.work.signal);
    const spentSeconds = (performance.now() - startedMs) / 1_000;
    this.save({ ...run, state: 'value', phase: null, reading, requests: 1, spentSeconds });
  }

  private newRun(purpose: SearchRun['purpose'], name: string): SearchRun {
    return {
      position: this.runs.length,
      purpose,
      name,
      level: null,
      repeat: 1,
      state: 'running',
      phase: 'ready',
      reason: null,
      runId: null,
      reading: null,
      spentSeconds: 0,
      requests: 0,
    };
  }

  private save(run: SearchRun): void {
    this.runs[run.position] = run;
    this.work.save(run);
  }
}

/** Returns the first generators of the list, at most as many as the load has threads: a single user needs only one generator. */
function generatorsFor(plan: Plan, on: SearchDocument['on']): readonly string[] | null {
  return on?.slice(0, Math.max(1, maxThreads(plan))) ?? null;
}

/** Maximum wait for the beginning of a response. */
const MAX_RESPONSE_MS = 60_000;
const MAX_HEAD_LENGTH = 16_384;

/**
 * Sends one request over a connection, and measures after how much idle time the server closes the connection. Secret headers of the target
 * are not sent. Never throws; errors are in `problem`.
 */
function watchIdle(plan: Plan, connection: TargetConnection, seconds: number, signal: AbortSignal): Promise<IdleReading> {
  const { connections, targets, journey } = plan;
  const url = new URL(journey[0]?.path ?? '', targets[0]?.url);
  return new Promise((resolve) => {
    const { socket, readyEvent } = openSocket(url, connections, connection);
    let head = '';
    let lastByteMs: number | null = null;
    let timer: NodeJS.Timeout | undefined;
    const settle = (isClosed: boolean, problem: string | null): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      const idle = lastByteMs === null ? 0 : (performance.now() - lastByteMs) / 1_000;
      resolve({ kind: 'idle', closedAfterSeconds: isClosed ? idle : null, watchedSeconds: idle, ...parseKeepAlive(head), problem });
    };
    const wait = (milliseconds: number, then: () => void): void => {
      clearTimeout(timer);
      timer = setTimeout(then, milliseconds);
    };
    const onAbort = (): void => settle(false, 'It was stopped.');
    signal.addEventListener('abort', onAbort);
    wait(MAX_RESPONSE_MS, () => settle(false, 'No response in time.'));
    socket.once(readyEvent, () => socket.write(requestText(plan, url)));
    socket.on('data', (data: Buffer) => {
      if (head.length < MAX_HEAD_LENGTH) head += data.toString('latin1');
      lastByteMs = performance.now();
      wait(seconds * 1_000, () => settle(false, null));
    });
    socket.once('close', () => (lastByteMs === null ? settle(false, 'The connection was closed without a response.') : settle(true, null)));
    socket.on('error', (error) => (lastByteMs === null ? settle(false, error.message) : settle(true, null)));
    if (signal.aborted) onAbort();
  });
}

function requestText({ targets, journey }: Plan, url: URL): string {
  const headers = { ...targets[0]?.headers, ...journey[0]?.headers };
  const plain = Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [`${name}: ${value}`] : []));
  const lines = [`GET ${url.pathname}${url.search} HTTP/1.1`, `Host: ${url.host}`, 'Connection: keep-alive', ...plain];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Parses the Keep-Alive header. RFC 9112 leaves its format to servers; Node, Apache and others send `timeout=5, max=100`. */
function parseKeepAlive(text: string): Pick<IdleReading, 'statedSeconds' | 'statedRequests'> {
  const value = /^keep-alive:(.*)$/im.exec(text.split('\r\n\r\n')[0] ?? '')?.[1] ?? '';
  const number = (name: string): number | null => {
    const found = new RegExp(`${name}\\s*=\\s*(\\d+)`, 'i').exec(value)?.[1];
    return found === undefined ? null : Number(found);
  };
  return { statedSeconds: number('timeout'), statedRequests: number('max') };
}
