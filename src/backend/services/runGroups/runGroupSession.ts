import { toProblem } from '#core/base/errors.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { RunEvent, Ending } from '#core/result/schema.ts';
import type { SeriesHead } from '#core/series/result.ts';
import type { Log } from '#backend/log.ts';
import type { Redaction } from '#backend/redaction.ts';
import type { ResultThread } from '#backend/results/resultThread.ts';
import type { RunGroupTable } from '#backend/store/runGroupTable.ts';
import type { RunService, StartedGroupRun } from '../runs/runService.ts';
import { untilReady } from './pauses.ts';
import { STOPPED_BY_USER } from '../loadLock.ts';

/** The name of a kind of group in logs and messages. */
export type RunGroupName = 'series' | 'search';

export interface GroupRun {
  readonly position: number;
}

export interface RunGroupSessionParts<Run extends GroupRun> {
  readonly called: RunGroupName;
  readonly table: Pick<RunGroupTable<unknown, Run>, 'saveRun' | 'end'>;
  readonly log: Log;
  readonly redaction: Redaction;
  readonly runs: Pick<RunService, 'startGroupRun'>;
  readonly results: Pick<ResultThread, 'read'>;
  readonly onChange: () => void;
}

/** The next step, or the end of the group with the reason for an early end. */
export type NextStep = { readonly perform: () => Promise<void> } | { readonly because: string | null };

/** The strategy of a group. A series plans its steps in advance; a search chooses each step by earlier results. */
export interface Steps {
  /** Called before the first load. */
  prepare(): Promise<void>;
  next(): NextStep;
  /** Stores the remaining steps as not performed. */
  leave(because: string): void;
}

export interface StepWork<Run> {
  readonly signal: AbortSignal;
  /** Why the group was stopped. */
  readonly stopText: string;
  save(run: Run): void;
  /** Runs one load. Never throws. The result states whether the load could not be started or its result could not be read. */
  load<Read>(step: StepLoad<Read>): Promise<Read | FailedLoad>;
}

export interface StepLoad<Read> {
  readonly plan: Plan;
  /** Names of the load generators; null: this computer. */
  readonly on: readonly string[] | null;
  /** Maximum wait until the targets accept a connection; null if a host generates the load. */
  readonly readySeconds: number | null;
  readonly cell: string;
  readonly repeat: number;
  readonly events: readonly RunEvent[];
  /** Called when the watched pages are visited before the load. Never called for plans without watched pages. */
  readonly onVisits: () => void;
  readonly onStarted: (runId: string) => void;
  readonly read: (runId: string) => Promise<Read>;
}

/** `notRun` and `refused`: the load did not start. `unread`: the run exists, but its result could not be read. */
export interface FailedLoad {
  readonly state: 'notRun' | 'refused' | 'unread';
  readonly reason: string;
}

/**
 * A run group of this process. Each step is stored before the next one begins, so finished steps survive any failure. The load of a step is
 * stored as an ordinary run.
 */
export class RunGroupSession<Run extends GroupRun> implements StepWork<Run> {
  readonly id: string;
  /** Resolves when the end of the group is stored. Never rejects. */
  readonly done: Promise<void>;
  private readonly parts: RunGroupSessionParts<Run>;
  private readonly key: number;
  private readonly head: SeriesHead;
  private readonly stopping = new AbortController();
  private stopped: Ending = STOPPED_BY_USER;
  private current: StartedGroupRun | null = null;

  constructor(parts: RunGroupSessionParts<Run>, key: number, head: SeriesHead, createSteps: (work: StepWork<Run>) => Steps) {
    this.parts = parts;
    this.key = key;
    this.head = head;
    this.id = head.id;
    this.done = this.takeSteps(createSteps).catch((thrown: unknown) => this.fail(thrown));
  }

  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  get stopText(): string {
    return this.stopped.text;
  }

  stop(because: Ending): void {
    if (this.signal.aborted) return;
    this.stopped = because;
    this.stopping.abort();
    this.current?.stop(because);
  }

  save(run: Run): void {
    this.parts.table.saveRun(this.key, run, Date.now());
    this.parts.onChange();
  }

  async load<Read>({
    plan,
    on,
    readySeconds,
    cell,
    repeat,
    events,
    onVisits,
    onStarted,
    read,
  }: StepLoad<Read>): Promise<Read | FailedLoad> {
    const { called, runs, log } = this.parts;
    const refused = readySeconds === null ? null : await untilReady(plan, readySeconds, this.signal);
    if (this.signal.aborted) return { state: 'notRun', reason: this.stopText };
    if (refused !== null) return { state: 'refused', reason: refused };
    if ((plan.watchPages ?? []).length > 0) onVisits();
    let startedGroupRun: StartedGroupRun;
    try {
      startedGroupRun = await runs.startGroupRun(plan, { series: { id: this.id, name: this.head.name, cell, repeat }, on, events });
    } catch (thrown) {
      log.failure(`a run of a ${called} could not be made`, thrown);
      return { state: 'notRun', reason: this.describeReason(thrown) };
    }
    this.current = startedGroupRun;
    // The group may have been stopped while the run started.
    if (this.signal.aborted) startedGroupRun.stop(this.stopped);
    onStarted(startedGroupRun.runId);
    await startedGroupRun.done;
    this.current = null;
    try {
      return await read(startedGroupRun.runId);
    } catch (thrown) {
      log.failure(`the result of a run of a ${called} could not be read`, thrown);
      return { state: 'unread', reason: this.describeReason(thrown) };
    }
  }

  private async takeSteps(createSteps: (work: StepWork<Run>) => Steps): Promise<void> {
    const steps = createSteps(this);
    await steps.prepare();
    while (!this.signal.aborted) {
      const step = steps.next();
      if ('because' in step) return this.end('finished', step.because);
      await step.perform();
    }
    steps.leave(this.stopText);
    this.end('stopped', this.stopText);
  }

  private describeReason(thrown: unknown): string {
    const { message, hint } = toProblem(thrown);
    return this.parts.redaction.sentence(`${message} ${hint}`);
  }

  private end(state: SeriesHead['state'], because: string | null): void {
    const { called, table, log, onChange } = this.parts;
    table.end(this.key, { state, endedAt: new Date().toISOString(), because });
    log.info(`${called} ended`, { [called]: this.id, state });
    onChange();
  }

  /** Handles a failure of the store, which is the only possible failure: stops the active run, and stores the end if possible. */
  private async fail(thrown: unknown): Promise<void> {
    const { called, log, redaction } = this.parts;
    log.failure(`the ${called} failed`, thrown);
    this.current?.stop({ code: 'failure', text: `The ${called} failed.` });
    await this.current?.done;
    try {
      this.end('failed', redaction.sentence(toProblem(thrown).message));
    } catch (again) {
      log.failure(`the end of the ${called} could not be stored`, again);
    }
  }
}
