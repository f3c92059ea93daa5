import { performance } from 'node:perf_hooks';
import type { Sink } from '#contract/rpc/server.ts';
import { toProblem } from '#core/base/errors.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { RecordLine } from '#core/work/populate/record.ts';
import type { PlanCommand, PopulateMode } from '#core/plan/schema/populate.ts';
import { MAX_LISTED_FAILURES, type PopulateState } from '#core/work/populate/state.ts';
import type { WalkOutcome } from '#core/work/populate/walks.ts';
import { redactValue } from '#core/base/redact.ts';
import { formatCount } from '#core/base/units.ts';
import { commonName } from '#core/work/accounts/accounts.ts';
import { pause } from '../runGroups/pauses.ts';
import { runCommand } from '../runCommand.ts';
import { RecordWriter, namesToStore, type Row, type Rows } from './rows.ts';
import { type WalkParts, walkRows } from './walkRows.ts';

/** Number of characters that are reported from the end of a failed command's output. */
const MAX_REPORTED_CHARACTERS = 300;

/** Runs the command once per row. The row is passed in the environment, because process lists show arguments. */
async function commandRows(
  command: PlanCommand,
  { populate, columns, todo, target, secrets }: Rows,
  { onOutcome, signal }: { readonly onOutcome: (row: Row, outcome: WalkOutcome) => void; readonly signal: AbortSignal },
  clean: (text: string) => string,
): Promise<void> {
  const beginsMs = performance.now();
  let next = 0;
  const hideSecretsIn = (text: string): string => clean(redactValue(text, secrets));
  const runCommands = async (): Promise<void> => {
    for (let index = next++; index < todo.length && !signal.aborted; index = next++) {
      const row = todo[index];
      if (row === undefined) return;
      await pause(beginsMs + (index * 1_000) / populate.perSecond - performance.now(), signal);
      if (signal.aborted) return;
      const environment = { ...getEnvironment(columns, row), HOLDFAST_TARGET: target };
      const { problem, output } = await runCommand(command, { when: 'before', environment, signal, clean: hideSecretsIn });
      const lastOutput = output.trim().slice(-MAX_REPORTED_CHARACTERS);
      onOutcome(row, problem === null ? { isGood: true, captured: {} } : { isGood: false, reason: `${problem} ${lastOutput}`.trim() });
    }
  };
  await Promise.all(Array.from({ length: populate.atOnce }, runCommands));
}

/** Sets each value under its own column name and under its standard name. */
function getEnvironment(columns: readonly string[], row: Row): Record<string, string> {
  const columnsAs = (nameOf: (column: string) => string | null): [string, string][] =>
    columns.flatMap((column, at): [string, string][] => {
      const name = nameOf(column);
      return name === null ? [] : [[getVariable(name), row.values[at] ?? '']];
    });
  return Object.fromEntries([...columnsAs(commonName), ...columnsAs((column) => column)]);
}

/** Converts `first_name` to HOLDFAST_ROW_FIRST_NAME. */
function getVariable(column: string): string {
  return `HOLDFAST_ROW_${column.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`;
}

/** Maximum number of consecutive failures. After that many, the remaining rows would probably fail too. */
const MAX_CONSECUTIVE_FAILURES = 20;
const UPDATE_INTERVAL_MS = 250;

export interface PopulateWork {
  readonly id: string;
  readonly plan: Plan;
  readonly mode: PopulateMode;
  readonly rows: Rows;
  readonly parts: WalkParts;
  /** Removes known secrets from a text. */
  readonly clean: (text: string) => string;
}

type Ending = Pick<PopulateState, 'state' | 'because' | 'stoppedBy'>;

/** One populate session, from its first row to its last. */
export class PopulateSession {
  readonly done: Promise<void>;
  private readonly runCommands: PopulateWork;
  private readonly writer: RecordWriter;
  private readonly kept: readonly string[];
  private readonly ending = new AbortController();
  private readonly watchers = new Set<Sink<PopulateState>>();
  private readonly failures: PopulateState['failures'][number][] = [];
  private end: Ending = { state: 'running', because: null, stoppedBy: null };
  private stopped: Omit<Ending, 'state'> | null = null;
  private good = 0;
  private bad = 0;
  private consecutiveFailures = 0;
  private timer: NodeJS.Timeout | undefined;

  private constructor(work: PopulateWork, writer: RecordWriter) {
    this.runCommands = work;
    this.writer = writer;
    this.kept = namesToStore(work.rows.populate);
    this.done = this.run();
  }

  /** Starts a session. Throws `RECORD_NOT_WRITABLE` before anything is sent. */
  static async start(work: PopulateWork): Promise<PopulateSession> {
    const writer = new RecordWriter(work.rows.record);
    await writer.open();
    return new PopulateSession(work, writer);
  }

  get state(): PopulateState {
    const { id, mode, rows } = this.runCommands;
    const { total, before, record, target, todo } = rows;
    return {
      id,
      mode,
      ...this.end,
      total,
      before,
      done: this.good,
      failed: this.bad,
      left: todo.length - this.good - this.bad,
      failures: [...this.failures],
      record,
      target,
    };
  }

  stop(stoppedBy: 'user' | 'holdfast', because: string): void {
    this.stopped ??= { because, stoppedBy };
    this.ending.abort();
  }

  /** Reports progress at once and at most four times a second. Returns a function that removes the reader. */
  watch(sink: Sink<PopulateState>): () => void {
    sink.item(this.state);
    if (this.end.state !== 'running') {
      sink.end();
      return () => {};
    }
    this.watchers.add(sink);
    return () => void this.watchers.delete(sink);
  }

  private async run(): Promise<void> {
    let problem: string | null = null;
    try {
      problem = await this.walk();
    } catch (thrown) {
      const { message, hint } = toProblem(thrown);
      problem = `${message} ${hint}`.trim();
    }
    await this.writer.close();
    const { failure } = this.writer;
    problem ??= failure === null ? null : `${failure.message} ${failure.hint}`;
    this.end = this.endOf(problem);
    clearTimeout(this.timer);
    for (const sink of this.watchers) {
      sink.item(this.state);
      sink.end();
    }
    this.watchers.clear();
  }

  private endOf(problem: string | null): Ending {
    if (this.stopped !== null) return { state: 'stopped', ...this.stopped };
    if (problem !== null) return { state: 'failed', because: this.clean(problem), stoppedBy: null };
    return { state: 'finished', because: null, stoppedBy: null };
  }

  private async walk(): Promise<string | null> {
    const { plan, mode, rows, parts, clean } = this.runCommands;
    const options = { onOutcome: (row: Row, outcome: WalkOutcome) => this.settleRow(row, outcome), signal: this.ending.signal };
    switch (rows.work.kind) {
      case 'journey':
        return walkRows(plan, rows, { steps: rows.work.steps, mode }, parts, options);
      case 'command':
        await commandRows(rows.work.command, rows, options, clean);
        return null;
      default:
        return rows.work satisfies never;
    }
  }

  private settleRow(row: Row, outcome: WalkOutcome): void {
    if (outcome.isGood) {
      this.good += 1;
      this.consecutiveFailures = 0;
    } else {
      this.bad += 1;
      this.consecutiveFailures += 1;
    }
    this.writer.note(this.formatLine(row, outcome));
    if (!outcome.isGood && this.failures.length < MAX_LISTED_FAILURES)
      this.failures.push({ row: row.index + 1, key: row.key, reason: this.clean(outcome.reason) });
    if (this.writer.failure !== null) this.stop('holdfast', this.writer.failure.message);
    if (this.consecutiveFailures >= MAX_CONSECUTIVE_FAILURES)
      this.stop('holdfast', `${formatCount(MAX_CONSECUTIVE_FAILURES)} rows failed in a row. The others were not tried.`);
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      for (const sink of this.watchers) sink.item(this.state);
    }, UPDATE_INTERVAL_MS);
  }

  private formatLine({ key }: Row, outcome: WalkOutcome): RecordLine {
    const { mode, rows } = this.runCommands;
    const line = { at: new Date().toISOString(), target: rows.target, key };
    if (!outcome.isGood) return { ...line, state: mode === 'create' ? 'failed' : 'notRemoved', reason: this.clean(outcome.reason) };
    if (mode === 'remove') return { ...line, state: 'removed' };
    const values = Object.fromEntries(this.kept.flatMap((name) => entryOf(outcome.captured, name)));
    return { ...line, state: 'created', ...(Object.keys(values).length === 0 ? {} : { values }) };
  }

  private clean(text: string): string {
    return this.runCommands.clean(redactValue(text, this.runCommands.rows.secrets));
  }
}

function entryOf(captured: Readonly<Record<string, string>>, name: string): [string, string][] {
  const value = getOwn(captured, name);
  return value === undefined ? [] : [[name, value]];
}
