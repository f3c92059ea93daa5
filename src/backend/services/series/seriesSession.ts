import { problemOf } from '#core/base/errors.ts';
import { loadsHere } from '#core/plan/hosts/places.ts';
import type { RunEvent } from '#core/result/schema.ts';
import { expandSeries, type SeriesCell } from '#core/series/cells.ts';
import { orderOf } from '#core/series/order.ts';
import type { CellRun, CommandRecord, SeriesHead } from '#core/series/result.ts';
import type { CellCommand, SeriesDocument } from '#core/plan/schema/series.ts';
import type { Log } from '#backend/log.ts';
import type { Redaction } from '#backend/redaction.ts';
import type { ResultThread } from '#backend/results/resultThread.ts';
import type { Store } from '#backend/store/store.ts';
import type { RunService, StartedCell } from '../runs/runService.ts';
import { rest, untilReady } from './pauses.ts';
import { runCommand } from './runCommand.ts';
import { countSockets, endpointsOf, type Endpoints } from './targetSockets.ts';

export interface SeriesSessionParts {
  readonly store: Store;
  readonly log: Log;
  readonly redaction: Redaction;
  readonly runs: Pick<RunService, 'startCell'>;
  readonly results: Pick<ResultThread, 'read'>;
  readonly onChange: () => void;
}

/** Every run that the series will make, waiting, in its order. */
export function plannedRuns(document: SeriesDocument): CellRun[] {
  const { cells } = expandSeries(document);
  return orderOf(document.series).map(({ cell, repeat }, position) => ({
    position,
    cell: cells[cell]?.name ?? '',
    repeat,
    state: 'waiting',
    phase: null,
    reason: null,
    runId: null,
    figures: null,
    commands: [],
    rest: null,
  }));
}

interface Place {
  readonly endpoints: Endpoints;
  readonly baseline: number | null;
}

/**
 * A series of this process: one cell after the other, each step stored before the next, so that whatever happens the finished cells
 * stay. The load of a cell is an ordinary run.
 */
export class SeriesSession {
  readonly id: string;
  /** Resolves when the series has ended and that is stored. Never rejects. */
  readonly done: Promise<void>;
  private readonly parts: SeriesSessionParts;
  private readonly key: number;
  private readonly document: SeriesDocument;
  private readonly head: SeriesHead;
  private readonly planned: readonly CellRun[];
  private readonly stopping = new AbortController();
  private stopText = '';
  private current: StartedCell | null = null;
  private readonly places = new Map<string, Place>();

  /** `planned`: the runs that it makes, in their order. */
  constructor(parts: SeriesSessionParts, key: number, head: SeriesHead, document: SeriesDocument, planned: readonly CellRun[]) {
    this.planned = planned;
    this.parts = parts;
    this.key = key;
    this.head = head;
    this.id = head.id;
    this.document = document;
    this.done = this.run().catch((thrown: unknown) => this.fail(thrown));
  }

  stop(text: string): void {
    if (this.stopping.signal.aborted) return;
    this.stopText = text;
    this.stopping.abort();
    this.current?.stop(text);
  }

  private async run(): Promise<void> {
    const cells = new Map(expandSeries(this.document).cells.map((cell) => [cell.name, cell]));
    // Counted before the first load of all: later the cells themselves may have left connections behind.
    for (const { name, plan, on } of cells.values()) {
      // Hosts have connections of their own, which nobody counts here.
      const endpoints: Endpoints = loadsHere(on) ? await endpointsOf(plan) : new Set();
      this.places.set(name, { endpoints, baseline: await countSockets(endpoints) });
    }
    for (const [index, run] of this.planned.entries()) {
      const cell = cells.get(run.cell);
      if (cell === undefined) continue;
      const isLast = index === this.planned.length - 1;
      if (this.stopping.signal.aborted) this.save({ ...run, state: 'notRun', reason: this.stopText });
      else if (cell.problem !== null) this.save({ ...run, state: 'refused', reason: cell.problem });
      else await this.perform(cell, run, isLast);
    }
    const stopped = this.stopping.signal.aborted;
    this.end(stopped ? 'stopped' : 'finished', stopped ? this.stopText : null);
  }

  /** All of one cell: commands, readiness, load, commands, rest. What was set up before is taken back after, also when the load failed. */
  private async perform(cell: SeriesCell, planned: CellRun, isLast: boolean): Promise<void> {
    let run: CellRun = { ...planned, state: 'running', phase: 'before' };
    const step = (changes: Partial<CellRun>): void => {
      run = { ...run, ...changes };
      this.save(run);
    };
    step({});
    const before = await this.runCommands(cell, run, cell.before, 'before');
    step({ commands: before, phase: 'ready' });
    const failed = before.find(({ problem }) => problem !== null);
    let outcome: Partial<CellRun>;
    if (failed !== undefined) outcome = { state: 'notRun', reason: `The command “${failed.run}” failed. ${failed.problem ?? ''}`.trim() };
    else outcome = await this.load(cell, run, (runId) => step({ runId, phase: 'load' }));
    step({ ...outcome, state: 'running', phase: 'after' });
    const after = await this.runCommands(cell, run, cell.after, 'after');
    const { coolDownSeconds, baselineSeconds } = this.document.series;
    const place = this.places.get(cell.name);
    const settled = { ...outcome, commands: [...before, ...after] };
    if (isLast || place === undefined || run.runId === null) return step({ ...settled, phase: null });
    step({ ...settled, state: 'running', phase: 'rest' });
    const rested = await rest({ ...place, coolDownSeconds, baselineSeconds }, this.stopping.signal);
    step({ ...settled, phase: null, rest: rested });
  }

  private async load(cell: SeriesCell, run: CellRun, onStarted: (runId: string) => void): Promise<Partial<CellRun>> {
    const { runs, results, log } = this.parts;
    const { signal } = this.stopping;
    // What a host can reach is not for this computer to say.
    const refused = loadsHere(cell.on) ? await untilReady(cell.plan, this.document.series.readySeconds, signal) : null;
    if (signal.aborted) return { state: 'notRun', reason: this.stopText };
    if (refused !== null) return { state: 'refused', reason: refused };
    const link = { id: this.id, name: this.head.name, cell: cell.name, repeat: run.repeat };
    let started: StartedCell;
    try {
      started = await runs.startCell(cell.plan, { series: link, on: cell.on, events: run.commands.map(eventOf) });
    } catch (thrown) {
      log.failure('a cell of a series could not be run', thrown);
      return { state: 'notRun', reason: this.reasonOf(thrown) };
    }
    this.current = started;
    // Somebody may have asked for a stop while it was being started.
    if (signal.aborted) started.stop(this.stopText);
    onStarted(started.runId);
    await started.done;
    this.current = null;
    try {
      return await results.read('own.cell', { runId: started.runId });
    } catch (thrown) {
      log.failure('the result of a cell could not be read', thrown);
      return { state: 'unread', reason: this.reasonOf(thrown) };
    }
  }

  private reasonOf(thrown: unknown): string {
    const { message, hint } = problemOf(thrown);
    return this.parts.redaction.text(`${message} ${hint}`);
  }

  /** One after the other; the first failure before a cell keeps the rest of them from running, after a cell all are tried. */
  private async runCommands(
    cell: SeriesCell,
    { repeat }: CellRun,
    commands: readonly CellCommand[],
    when: CommandRecord['when'],
  ): Promise<CommandRecord[]> {
    const records: CommandRecord[] = [];
    // What was set up must be taken back after a stop too; its time limit still holds.
    const signal = when === 'before' ? this.stopping.signal : new AbortController().signal;
    const environment = {
      HOLDFAST_CELL: cell.name,
      HOLDFAST_VARIANT: cell.variant ?? '',
      HOLDFAST_REPEAT: String(repeat),
      HOLDFAST_TARGET: cell.plan.targets[0]?.url ?? '',
    };
    for (const command of commands) {
      const clean = (text: string): string => this.parts.redaction.text(text);
      const record = await runCommand(command, { when, environment, signal, clean });
      records.push(record);
      if (when === 'before' && record.problem !== null) break;
    }
    return records;
  }

  private save(run: CellRun): void {
    this.parts.store.series.saveRun(this.key, run, Date.now());
    this.parts.onChange();
  }

  private end(state: SeriesHead['state'], because: string | null): void {
    this.parts.store.series.end(this.key, { state, endedAt: new Date().toISOString(), because });
    this.parts.log.info('series ended', { series: this.id, state });
    this.parts.onChange();
  }

  /** The store is the only thing that can fail here: what is going is stopped, and the end is told if it can be. */
  private async fail(thrown: unknown): Promise<void> {
    const { log, redaction } = this.parts;
    log.failure('the series failed', thrown);
    this.current?.stop('The series failed.');
    await this.current?.done;
    try {
      this.end('failed', redaction.text(problemOf(thrown).message));
    } catch (again) {
      log.failure('the end of the series could not be stored', again);
    }
  }
}

/** A command as the run it was for tells of it. */
function eventOf({ run, exitCode, seconds, output, problem }: CommandRecord): RunEvent {
  const ended = problem ?? `It ended with code ${exitCode} after ${seconds.toFixed(1)} s.`;
  return { second: 0, kind: 'command', text: `Before the load: ${run}. ${ended}`, data: { output } };
}
