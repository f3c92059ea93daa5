import { isLoadedHere } from '#core/plan/hosts/generatorNames.ts';
import type { CellCommand, SeriesDocument } from '#core/plan/schema/series.ts';
import { expandSeries, listTurns, toPlannedRun, type SeriesCell } from '#core/series/cells.ts';
import type { CellRun, CommandRecord } from '#core/series/result.ts';
import type { Redaction } from '#backend/redaction.ts';
import type { ResultThread } from '#backend/results/resultThread.ts';
import { readBaseline, waitForBaseline, type TargetConnections } from './pauses.ts';
import { commandEvent, commandFailure, runCommand } from '../runCommand.ts';
import type { NextStep, Steps, StepWork } from './runGroupSession.ts';

interface SeriesStepsParts {
  readonly redaction: Redaction;
  readonly results: Pick<ResultThread, 'read'>;
}

/** Returns all planned runs of the series in order. */
export function planRuns(document: SeriesDocument): CellRun[] {
  const { cells } = expandSeries(document);
  return listTurns(document.series).map(({ cell, repeat }, position) => toPlannedRun({ position, cell: cells[cell]?.name ?? '', repeat }));
}

/** The steps of a series: the runs of its cells, one after the other. */
export class SeriesSteps implements Steps {
  private readonly parts: SeriesStepsParts;
  private readonly work: StepWork<CellRun>;
  private readonly document: SeriesDocument;
  private readonly left: CellRun[];
  private readonly cells: ReadonlyMap<string, SeriesCell>;
  private readonly places = new Map<string, TargetConnections>();

  constructor(parts: SeriesStepsParts, work: StepWork<CellRun>, document: SeriesDocument, planned: readonly CellRun[]) {
    this.parts = parts;
    this.work = work;
    this.document = document;
    this.cells = new Map(expandSeries(document).cells.map((cell) => [cell.name, cell]));
    this.left = planned.filter(({ cell }) => this.cells.has(cell));
  }

  /** Counts connections before the first cell, because cells may leave some open. */
  async prepare(): Promise<void> {
    for (const { name, plan, on } of this.cells.values()) this.places.set(name, await readBaseline(plan, on));
  }

  next(): NextStep {
    const run = this.left.shift();
    const cell = this.cells.get(run?.cell ?? '');
    return run === undefined || cell === undefined ? { because: null } : { perform: () => this.perform(cell, run) };
  }

  leave(reason: string): void {
    for (const run of this.left) this.work.save({ ...run, state: 'notRun', reason });
  }

  /**
   * Runs one cell: commands, readiness, load, commands, cool-down. Commands after the load always run, because they undo the commands
   * before the load.
   */
  private async perform(cell: SeriesCell, planned: CellRun): Promise<void> {
    if (cell.problem !== null) return this.work.save({ ...planned, state: 'refused', reason: cell.problem });
    let run: CellRun = { ...planned, state: 'running', phase: 'before' };
    const changeRun = (changes: Partial<CellRun>): void => {
      run = { ...run, ...changes };
      this.work.save(run);
    };
    changeRun({});
    const before = await this.runCommands(cell, run, cell.before, 'before');
    changeRun({ commands: before, phase: 'ready' });
    const failed = before.find(({ problem }) => problem !== null);
    let outcome: Partial<CellRun>;
    if (failed !== undefined) outcome = { state: 'notRun', reason: commandFailure(failed) };
    else outcome = await this.load(cell, run, changeRun);
    changeRun({ ...outcome, state: 'running', phase: 'after' });
    const after = await this.runCommands(cell, run, cell.after, 'after');
    const place = this.places.get(cell.name);
    const settled = { ...outcome, commands: [...before, ...after] };
    if (this.left.length === 0 || place === undefined || run.runId === null) return changeRun({ ...settled, phase: null });
    changeRun({ ...settled, state: 'running', phase: 'rest' });
    const rested = await waitForBaseline(place, this.document.series, this.work.signal);
    changeRun({ ...settled, phase: null, rest: rested });
  }

  private load(cell: SeriesCell, run: CellRun, step: (changes: Partial<CellRun>) => void): Promise<Partial<CellRun>> {
    return this.work.load<Partial<CellRun>>({
      plan: cell.plan,
      on: cell.on,
      readySeconds: isLoadedHere(cell.on) ? this.document.series.readySeconds : null,
      cell: cell.name,
      repeat: run.repeat,
      events: run.commands.map(commandEvent),
      onVisits: () => step({ phase: 'visits' }),
      onStarted: (runId) => step({ runId, phase: 'load' }),
      read: (runId) => this.parts.results.read('own.cell', { runId }),
    });
  }

  /** Runs commands in order. Before a cell, the first failure skips the rest; after a cell, all are run. */
  private async runCommands(
    cell: SeriesCell,
    { repeat }: CellRun,
    commands: readonly CellCommand[],
    when: CommandRecord['when'],
  ): Promise<CommandRecord[]> {
    const records: CommandRecord[] = [];
    // Commands after the load run even if the series was stopped, within their time limits.
    const signal = when === 'before' ? this.work.signal : new AbortController().signal;
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
}
