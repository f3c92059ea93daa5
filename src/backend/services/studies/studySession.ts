import { performance } from 'node:perf_hooks';
import { problemOf } from '#core/base/errors.ts';
import { loadsHere } from '#core/plan/hosts/places.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { IdleReading } from '#core/search/characterize/reading.ts';
import type { StudyDocument, StudyHead } from '#core/search/result.ts';
import type { StudyRun } from '#core/search/run.ts';
import type { StudyStep } from '#core/search/step.ts';
import { nextStep } from '#core/search/study.ts';
import { mostThreads } from '#engine/loadParts.ts';
import type { Log } from '#backend/log.ts';
import type { Redaction } from '#backend/redaction.ts';
import type { ResultThread } from '#backend/results/resultThread.ts';
import type { Store } from '#backend/store/store.ts';
import type { RunService, StartedCell } from '../runs/runService.ts';
import { rest, untilReady } from '../series/pauses.ts';
import { countSockets, type Endpoints, endpointsOf } from '../series/targetSockets.ts';
import type { Route } from '../targets/route.ts';
import { watchIdle } from './idleConnection.ts';

export interface StudySessionParts {
  readonly store: Store;
  readonly log: Log;
  readonly redaction: Redaction;
  readonly runs: Pick<RunService, 'startCell'>;
  readonly results: Pick<ResultThread, 'read'>;
  /** How single requests reach the target of the study. */
  readonly way: () => Promise<{ readonly plan: Plan; readonly route: Route }>;
  readonly onChange: () => void;
}

/** How long a server may take to accept a connection before a run. */
const READY_SECONDS = 30;

/** Of a single connection, which is made by this computer. */
const NOT_FROM_HERE: IdleReading = {
  kind: 'idle',
  closedAfterSeconds: null,
  watchedSeconds: 0,
  statedSeconds: null,
  statedRequests: null,
  problem: 'It is this computer that looks at an idle connection, and it makes no part of this load.',
};

type RunStep = Extract<StudyStep, { kind: 'run' }>;
type IdleStep = Extract<StudyStep, { kind: 'idle' }>;

/**
 * A study of this process: one run after the other, each chosen by what the ones before have shown, each stored before the next. The load of a run is an
 * ordinary run.
 */
export class StudySession {
  readonly id: string;
  /** Resolves when the study has ended and that is stored. Never rejects. */
  readonly done: Promise<void>;
  private readonly parts: StudySessionParts;
  private readonly key: number;
  private readonly head: StudyHead;
  private readonly document: StudyDocument;
  private readonly runs: StudyRun[] = [];
  private readonly stopping = new AbortController();
  private stopText = '';
  private current: StartedCell | null = null;

  constructor(parts: StudySessionParts, key: number, head: StudyHead, document: StudyDocument) {
    this.parts = parts;
    this.key = key;
    this.head = head;
    this.id = head.id;
    this.document = document;
    this.done = this.work().catch((thrown: unknown) => this.fail(thrown));
  }

  stop(text: string): void {
    if (this.stopping.signal.aborted) return;
    this.stopText = text;
    this.stopping.abort();
    this.current?.stop(text);
  }

  private async work(): Promise<void> {
    // Hosts have connections of their own, which nobody counts here.
    const endpoints: Endpoints = loadsHere(this.document.on) ? await endpointsOf(this.document.plan) : new Set();
    // Counted before the first load: later the runs themselves may have left connections behind.
    const place = { endpoints, baseline: await countSockets(endpoints) };
    for (;;) {
      if (this.stopping.signal.aborted) return this.end('stopped', this.stopText);
      const step = nextStep(this.document, this.runs);
      if (step.kind === 'end') return this.end('finished', step.because);
      if (step.kind === 'idle') await this.lookAtIdle(step);
      else await this.perform(step, place);
    }
  }

  private async perform(step: RunStep, place: { readonly endpoints: Endpoints; readonly baseline: number | null }): Promise<void> {
    const startedMs = performance.now();
    const { purpose, name, level, repeat } = step;
    let run: StudyRun = { ...this.begun(purpose, name), level, repeat };
    const save = (changes: Partial<StudyRun>): void => {
      run = { ...run, ...changes, spentSeconds: (performance.now() - startedMs) / 1_000 };
      this.save(run);
    };
    save({});
    const outcome = await this.load(step, (runId) => save({ runId, phase: 'load' }));
    save({ ...outcome, state: 'running', phase: 'rest' });
    const { coolDownSeconds, baselineSeconds } = this.document.settings;
    if (run.runId !== null) await rest({ ...place, coolDownSeconds, baselineSeconds }, this.stopping.signal);
    save({ ...outcome, phase: null });
  }

  private async load(
    step: RunStep,
    onStarted: (runId: string) => void,
  ): Promise<Pick<StudyRun, 'state' | 'reason' | 'reading' | 'requests'>> {
    const { runs, results, log } = this.parts;
    const nothing = { state: 'notRun' as const, reading: null, requests: 0 };
    // What a host can reach is not for this computer to say.
    const refused = loadsHere(this.document.on) ? await untilReady(step.plan, READY_SECONDS, this.stopping.signal) : null;
    if (this.stopping.signal.aborted) return { ...nothing, reason: this.stopText };
    if (refused !== null) return { ...nothing, reason: refused };
    const link = { id: this.id, name: this.head.name, cell: step.name, repeat: step.repeat };
    let started: StartedCell;
    try {
      started = await runs.startCell(step.plan, { series: link, on: placesFor(step.plan, this.document.on), events: [] });
    } catch (thrown) {
      log.failure('a run of a study could not be made', thrown);
      return { ...nothing, reason: this.reasonOf(thrown) };
    }
    this.current = started;
    // Somebody may have asked for a stop while it was being started.
    if (this.stopping.signal.aborted) started.stop(this.stopText);
    onStarted(started.runId);
    await started.done;
    this.current = null;
    const { purpose, level } = step;
    try {
      const read = await results.read('own.studyRun', { runId: started.runId, document: this.document, of: { purpose, level } });
      // A run that was cut off on purpose says nothing of its level; one that a safety limit cut off does.
      return this.stopping.signal.aborted ? { ...read, state: 'aborted', reason: this.stopText, reading: null } : read;
    } catch (thrown) {
      log.failure('the result of a run of a study could not be read', thrown);
      return { ...nothing, state: 'unread', reason: this.reasonOf(thrown) };
    }
  }

  private reasonOf(thrown: unknown): string {
    const { message, hint } = problemOf(thrown);
    return this.parts.redaction.text(`${message} ${hint}`);
  }

  private async lookAtIdle({ purpose, name, seconds }: IdleStep): Promise<void> {
    const startedMs = performance.now();
    const run: StudyRun = { ...this.begun(purpose, name), phase: 'load' };
    this.save(run);
    if (!loadsHere(this.document.on)) return this.save({ ...run, state: 'value', phase: null, reading: NOT_FROM_HERE });
    const { plan, route } = await this.parts.way();
    const reading = await watchIdle(plan, route, seconds, this.stopping.signal);
    const spentSeconds = (performance.now() - startedMs) / 1_000;
    this.save({ ...run, state: 'value', phase: null, reading, requests: 1, spentSeconds });
  }

  private begun(purpose: StudyRun['purpose'], name: string): StudyRun {
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

  private save(run: StudyRun): void {
    this.runs[run.position] = run;
    this.parts.store.studies.saveRun(this.key, run, Date.now());
    this.parts.onChange();
  }

  private end(state: StudyHead['state'], because: string | null): void {
    this.parts.store.studies.end(this.key, { state, endedAt: new Date().toISOString(), because });
    this.parts.log.info('study ended', { study: this.id, state });
    this.parts.onChange();
  }

  /** The store is the only thing that can fail here: what is going is stopped, and the end is told if it can be. */
  private async fail(thrown: unknown): Promise<void> {
    const { log, redaction } = this.parts;
    log.failure('the study failed', thrown);
    this.current?.stop('The search failed.');
    await this.current?.done;
    try {
      this.end('failed', redaction.text(problemOf(thrown).message));
    } catch (again) {
      log.failure('the end of the study could not be stored', again);
    }
  }
}

/** As many of the places as each have a part in so small a load, in their order: one user asks from the first alone. */
function placesFor(plan: Plan, on: StudyDocument['on']): readonly string[] | null {
  return on?.slice(0, Math.max(1, mostThreads(plan))) ?? null;
}
