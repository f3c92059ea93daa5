import { checkPlan } from '#core/review/check.ts';
import { type HoldfastError, toProblem } from '#core/base/errors.ts';
import { isHere } from '#core/plan/schema/hosts.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { openingPages } from '#core/presentation/document/words.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { Client } from '#contract/rpc/client.ts';
import { limitToAccount, hasSeveralAccounts, TRIAL_SHARES, trialPlan, trialProblem } from '#core/work/samples/trial.ts';
import type { CliContext } from '../context.ts';
import { type ExitCode, toExitCode } from '../exitCodes.ts';
import { hasErrors } from '../plans/fromPreset.ts';
import { withHostKey } from '../hosts/withHostKey.ts';
import { printIssues, problemText, invalidPlan } from '../output/problems.ts';
import type { Output } from '../output/stream.ts';
import { withMonitors } from '../plans/hosts.ts';
import { type JsonDestination, openJsonDestination, openTextDestination, type TextDestination } from '../output/jsonFile.ts';
import type { Consent } from '../input/consent.ts';
import type { MeasuredRuns } from './againstBaseline.ts';
import { attachGraph } from './attachGraph.ts';
import { requireReachable, reportRowsLeft } from './preflight.ts';
import { type Progress, startLine, startProgress, stopOnInterrupt } from './progress.ts';

export const RESULT_FORMATS = ['text', 'ab', 'jmeter', 'cycles', 'csv'] as const;
export type ResultFormat = (typeof RESULT_FORMATS)[number];
export type PrintedFormat = ResultFormat | 'summary';

export interface RunOutput {
  readonly json: string | undefined;
  /** File for the pass criteria as JUnit XML. */
  readonly junit?: string | undefined;
  readonly format: ResultFormat;
  /** Whether the text contains all figures instead of the summary. */
  readonly full?: boolean;
  readonly quiet: boolean;
  /** Names of the load generators: hosts, or `here` for this computer; undefined if this computer is the only one. */
  readonly on: readonly string[] | undefined;
  /** Whether a journey with a login is tried before the load. */
  readonly tries?: boolean;
  /** Files with graphs to attach after the run, with the time zone of their times. */
  readonly graphs?: readonly { readonly file: string; readonly zone: string | undefined }[];
  /** Hosts to monitor in addition to those of the plan. */
  readonly monitors: readonly string[];
  readonly reusesRows?: boolean;
  /** Whether the run fails if any step is not judged. */
  readonly requiresJudged?: boolean;
}

/** Maximum number of points in a file. A run of a week would otherwise have 604,800. */
export const MAX_POINTS = 100_000;

const FAILED_HINT = 'What was measured is kept: holdfast show last';

/** Runs a plan, prints and saves its result, and returns the exit code. */
export async function performRun(
  planAsGiven: Plan,
  output: RunOutput,
  context: CliContext,
  client: Client,
  consent: Consent,
): Promise<ExitCode> {
  return (await measureRun(planAsGiven, output, context, client, consent)).code;
}

/** Like {@link performRun}, but also returns the id of the run. */
export async function measureRun(
  planAsGiven: Plan,
  output: RunOutput,
  context: CliContext,
  client: Client,
  consent: Consent,
): Promise<MeasuredRuns> {
  const plan = withMonitors(planAsGiven, output.monitors);
  const issues = checkPlan(plan);
  const visibleIssues = output.quiet ? issues.filter(({ level }) => level === 'error') : issues;
  if (hasErrors(issues)) throw invalidPlan(visibleIssues);
  await printIssues(context.err, visibleIssues);
  const agreedKeys = await consent.agreeToPlan({ plan, on: output.on }, client);
  await reportRowsLeft(plan, agreedKeys, { client, err: context.err, reuses: output.reusesRows === true });
  const destination = output.json === undefined ? null : await openJsonDestination(output.json, context.currentDirectory, context.out);
  const junit = await openJunit(output.junit, context, destination);
  try {
    // Skipped if only hosts generate the load, because this computer cannot check their connections.
    if (output.on === undefined || output.on.some(isHere)) {
      await requireReachable(plan);
      if (output.tries === true) await requireGoodTrial(plan, agreedKeys, client);
    }
    const result = await runAndWatch(plan, agreedKeys, output, context, client);
    for (const graph of output.graphs ?? []) await attachOneGraph(result.run.id, graph, context, client);
    if (!output.quiet && destination?.isStandardOutput !== true) {
      const text = await resultText(client, result.run.id, chooseFormat(output), context.out);
      await printResult(context.out, output.format, text);
      // The verdict is repeated after the full result, because the result is longer than a screen.
      if (output.full === true && output.format === 'text' && context.out.isTerminal)
        await context.out.write(`\n${text.slice(0, text.indexOf('\n'))}\n`);
    }
    await destination?.save(result);
    await junit?.save(await resultText(client, result.run.id, 'junit'));
    if (result.run.endedBecause?.code === 'failure')
      await context.err.write(problemText({ message: result.run.endedBecause.text, hint: FAILED_HINT }));
    const code = toExitCode(result, output.requiresJudged);
    if (code !== toExitCode(result)) await context.err.write(notJudgedText([result]));
    return { code, runIds: [result.run.id] };
  } finally {
    await destination?.discard();
    await junit?.discard();
  }
}

/** Returns the text about steps that were not judged although --require-judged was given. */
export function notJudgedText(results: readonly Pick<RunResult, 'run' | 'verdict'>[]): string {
  return results
    .map(({ run, verdict }) => {
      const names = (verdict.notJudged ?? []).map(({ step }) => `“${step}”`).join(', ');
      return problemText({
        message: `Not judged in ${run.id}: ${names}.`,
        hint: 'Give each step a pass criterion that the run can decide, or leave out --require-judged.',
      });
    })
    .join('');
}

/** Opens the JUnit file before the run. If that fails, discards the other file. */
async function openJunit(
  file: string | undefined,
  { currentDirectory, out }: CliContext,
  json: JsonDestination | null,
): Promise<TextDestination | null> {
  if (file === undefined) return null;
  try {
    return await openTextDestination(file, currentDirectory, out);
  } catch (thrown) {
    await json?.discard();
    throw thrown;
  }
}

/** Attaches one graph. If that fails, prints the error and leaves the run unchanged, because the user can attach the graph later. */
async function attachOneGraph(
  runId: string,
  { file, zone }: NonNullable<RunOutput['graphs']>[number],
  context: CliContext,
  client: Client,
): Promise<void> {
  try {
    await attachGraph(runId, file, zone === undefined ? {} : { zone }, client, context);
  } catch (thrown) {
    const { message, hint } = toProblem(thrown);
    await context.err.write(problemText({ message, hint: `${hint} Then: holdfast monitors attach ${runId} ${file}` }));
  }
}

/** Bounds of the table width in characters. */
const [MIN_COLUMNS, MAX_COLUMNS] = [20, 1_000];

/** Returns the format to print: for text, the summary unless the user wants all figures. */
export function chooseFormat({ format, full }: { readonly format: ResultFormat; readonly full?: boolean }): PrintedFormat {
  return format === 'text' && full !== true ? 'summary' : format;
}

/** Returns the result as text that ends with a line feed. Its lines fit the width of the terminal. */
export async function resultText(client: Client, runId: string, format: PrintedFormat | 'junit', out?: Output): Promise<string> {
  const columns = out?.isTerminal === true ? { columns: Math.min(MAX_COLUMNS, Math.max(MIN_COLUMNS, out.columns)) } : {};
  const { content } = await client.call('runs.export', { runId, format, ...columns });
  return content.endsWith('\n') ? content : `${content}\n`;
}

/** Prints a result. CSV is printed unchanged, because it is for programs; other formats are for people. */
export function printResult(out: Output, format: ResultFormat, text: string): Promise<void> {
  if (format === 'csv') return out.writeFile(text);
  return format === 'text' ? out.writeReport(text) : out.write(text);
}

async function runAndWatch(
  plan: Plan,
  agreedKeys: string[],
  { quiet, on }: RunOutput,
  context: CliContext,
  client: Client,
): Promise<RunResult> {
  const startRun = async () => {
    const line = startLine(context.err, !quiet);
    line.show(openingPages(plan.watchPages?.length ?? 0));
    try {
      return await client.call('runs.start', { plan, agreed: agreedKeys, ...(on === undefined ? {} : { on: [...on] }) });
    } finally {
      await line.end();
    }
  };
  const { runId } = await withHostKey(startRun, client, context);
  const progress = startProgress(context.err, !quiet);
  const stopRun = () => client.call('runs.stop', { runId });
  const release = stopOnInterrupt(stopRun, 'Stopping: waiting for outstanding responses.', context, progress);
  try {
    await watchToTheEnd(runId, client, progress);
  } finally {
    release();
    await progress.end();
  }
  return client.call('runs.result', { runId, maxPoints: MAX_POINTS });
}

export function watchToTheEnd(runId: string, client: Client, progress: Progress): Promise<void> {
  return new Promise((resolve, reject) => {
    client.open(
      'runs.watch',
      { runId },
      { onItem: (live) => progress.show(live), onEnd: (problem?: HoldfastError) => (problem ? reject(problem) : resolve()) },
    );
  });
}

/**
 * Walks a journey that has a login once before its load, up to the first step that stores data, with up to three accounts. A rejected login
 * is therefore reported before the load. Throws `TRIAL_FAILED` with the page's own words.
 */
async function requireGoodTrial(plan: Plan, agreedKeys: string[], client: Client): Promise<void> {
  const trial = trialPlan(plan);
  if (trial === null) return;
  for (const share of hasSeveralAccounts(trial) ? TRIAL_SHARES : TRIAL_SHARES.slice(0, 1)) {
    const report = await client.call('plans.try', { plan: limitToAccount(trial, share), agreed: agreedKeys, feedAt: share });
    const problem = trialProblem(trial, report, share);
    if (problem !== null) throw problem;
  }
}
