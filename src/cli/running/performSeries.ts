import type { Client } from '#contract/rpc/client.ts';
import { formatMs, formatRate } from '#core/base/units.ts';
import { expandSeries } from '#core/series/cells.ts';
import { checkPlan } from '#core/review/check.ts';
import { checkSeries, computeSeriesSeconds } from '#core/series/check.ts';
import { CELL_STATE_WORDS, formatSeriesCsv } from '#core/series/format.ts';
import { isDuetWorse } from '#core/result/duet.ts';
import type { CellRun, SeriesResult } from '#core/series/result.ts';
import type { Series, SeriesDocument } from '#core/plan/schema/series.ts';
import { formatSeriesText } from '#core/presentation/text/textReport.ts';
import { formatAtLeast } from '#core/series/outline.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode, toExitCode } from '../exitCodes.ts';
import { withHostKey } from '../hosts/withHostKey.ts';
import { openJsonDestination, openTextDestination } from '../output/jsonFile.ts';
import { printIssues, optionError, invalidPlan } from '../output/problems.ts';
import { hasErrors } from '../plans/fromPreset.ts';
import { withMonitors, generatorsOption } from '../plans/hosts.ts';
import type { Consent } from '../input/consent.ts';
import type { MeasuredRuns } from './againstBaseline.ts';
import { followGroup } from './followGroup.ts';
import { notJudgedText, type RunOutput } from './perform.ts';

export interface SeriesOutput {
  readonly json: string | undefined;
  readonly csv: string | undefined;
  readonly quiet: boolean;
  /** Whether the series fails if any step of any run is not judged. */
  readonly requiresJudged?: boolean;
  /** How much slower the second variant of a duet may be, as a share. */
  readonly tolerance?: number | undefined;
}

interface SeriesWork {
  readonly document: SeriesDocument;
  /** Id of an unfinished series to resume; undefined to start a new one. */
  readonly resume?: string;
  readonly consent: Consent;
  readonly output: SeriesOutput;
  readonly context: CliContext;
  readonly client: Client;
}

/** Runs a series, prints and saves its table, and returns the exit code. */
export async function performSeries(work: SeriesWork): Promise<ExitCode> {
  return (await measureSeries(work)).code;
}

async function measureSeries({ document, resume, consent, output, context, client }: SeriesWork): Promise<MeasuredRuns> {
  const agreedKeys = await consent.agreeToPlan(document, client);
  const tables = await openTableFiles(output, context);
  try {
    const beginSeries = () =>
      resume === undefined
        ? client.call('series.start', { document, agreed: agreedKeys })
        : client.call('series.resume', { seriesId: resume, agreed: agreedKeys });
    const { seriesId } = await withHostKey(beginSeries, client, context);
    const seconds = resume === undefined ? computeSeriesSeconds(document) : null;
    await followGroup<SeriesResult, CellRun>(
      {
        open: (listener) => client.open('series.watch', { seriesId }, listener),
        stop: () => client.call('series.stop', { seriesId }),
        stopping: 'Stopping. Finished cells are kept.',
        first: seconds === null ? undefined : formatAtLeast(seconds),
        getRuns: listRunsInOrder,
        isOver: ({ state }) => state !== 'waiting' && state !== 'running',
        formatLine: (run, nth, { planned, document: written }) => `${nth} of ${planned}  ${cellLine(run, written)}`,
      },
      output.quiet,
      context,
      client,
    );
    const result = await client.call('series.result', { seriesId });
    await tables.write(result);
    const runIds = result.rows.flatMap(({ runs }) => runs.flatMap(({ runId }) => runId ?? []));
    const code = exitCodeOfSeries(result, output.tolerance);
    return { code: output.requiresJudged === true ? await codeIfJudged(code, runIds, context, client) : code, runIds };
  } finally {
    await tables.discard();
  }
}

/**
 * Returns the exit code of runs whose steps must all be judged. `needsCriteria`: whether a run without criteria fails; some runs of a
 * search have none.
 */
export async function codeIfJudged(
  code: ExitCode,
  runIds: readonly string[],
  { err }: CliContext,
  client: Pick<Client, 'call'>,
  needsCriteria = true,
): Promise<ExitCode> {
  if (code !== EXIT.fine) return code;
  for (const runId of runIds) {
    const { run, verdict } = await client.call('runs.result', { runId });
    const notJudged = (verdict.notJudged ?? []).filter(({ because }) => needsCriteria || because !== 'noCriteria');
    const result = { run, verdict: { ...verdict, notJudged } };
    if (toExitCode(result, true) === EXIT.fine) continue;
    await err.write(notJudgedText([result]));
    return EXIT.criteriaFailed;
  }
  return code;
}

/** Prints and saves the table of a finished series. */
export async function writeSeries(result: SeriesResult, output: SeriesOutput, context: CliContext): Promise<void> {
  const tables = await openTableFiles(output, context);
  try {
    await tables.write(result);
  } finally {
    await tables.discard();
  }
}

/** Opens the files for the table before the series starts. */
async function openTableFiles(output: SeriesOutput, { currentDirectory, out }: CliContext) {
  const json = output.json === undefined ? null : await openJsonDestination(output.json, currentDirectory, out);
  try {
    const csv = output.csv === undefined ? null : await openTextDestination(output.csv, currentDirectory, out);
    return {
      async write(result: SeriesResult): Promise<void> {
        if (!output.quiet && json?.isStandardOutput !== true && csv?.isStandardOutput !== true) await out.write(formatSeriesText(result));
        await json?.save(result);
        await csv?.save(formatSeriesCsv(result));
      },
      async discard(): Promise<void> {
        await json?.discard();
        await csv?.discard();
      },
    };
  } catch (thrown) {
    await json?.discard();
    throw thrown;
  }
}

/** Performs the series of a preset, or of a repeated run, with the options of `run`. */
export async function performPresetSeries(
  { plan, series }: SeriesDocument,
  { json, junit, format, quiet, on, monitors, requiresJudged = false, graphs = [] }: RunOutput,
  context: CliContext,
  client: Client,
  consent: Consent,
): Promise<MeasuredRuns> {
  if (junit !== undefined)
    throw optionError(
      'This makes a series of runs; --junit is for a single run.',
      'Leave it out, and save the file afterwards: holdfast report --series ID --junit FILE',
    );
  const document = { plan: withMonitors(plan, monitors), series: withGenerators(series, on) };
  const issues = [...checkPlan(document.plan), ...checkSeries(document)];
  const visibleIssues = quiet ? issues.filter(({ level }) => level === 'error') : issues;
  if (hasErrors(issues)) throw invalidPlan(visibleIssues);
  await printIssues(context.err, visibleIssues);
  if (graphs.length > 0) await context.err.write(ONE_RUN_ONLY);
  const output = { json, csv: format === 'csv' ? '-' : undefined, quiet, requiresJudged };
  return measureSeries({ document, consent, output, context, client });
}

/** Sets the load generators of a series, except for variants that name their own. Changes nothing if `on` is undefined. */
export function withGenerators(series: Series, on: readonly string[] | undefined): Series {
  return on === undefined ? series : { ...series, on: generatorsOption(on) };
}

function listRunsInOrder({ rows }: SeriesResult): CellRun[] {
  return rows.flatMap(({ runs }) => runs).sort((a, b) => a.position - b.position);
}

function cellLine({ cell, repeat, state, figures, reason, commands }: CellRun, { series }: SeriesDocument): string {
  const failed = commands.filter(({ problem }) => problem !== null).map(({ run, problem }) => `${run}: ${problem}`);
  const parts = [
    series.repeats === 1 ? cell : `${cell}, ${repeat} of ${series.repeats}`,
    CELL_STATE_WORDS[state],
    ...(figures === null ? [] : [formatRate(figures.completedPerSecond, 'responses'), `p95 ${formatMs(figures.p95)}`]),
    ...(reason === null ? [] : [reason]),
    ...(state === 'notRun' ? [] : failed),
  ];
  return parts.join(' · ');
}

/**
 * Returns the exit code by precedence: a stop or an early end, a failed criterion of any cell, a worse variant of a duet, an inconclusive
 * or incomplete cell.
 */
export function exitCodeOfSeries({ series, rows, document }: SeriesResult, tolerance = 0): ExitCode {
  if (series.state === 'stopped') return EXIT.stoppedByUser;
  if (series.state !== 'finished') return EXIT.failed;
  // Impossible cells of a matrix do not count.
  const possible = new Set(expandSeries(document).cells.flatMap(({ name, problem }) => (problem === null ? [name] : [])));
  const runs = rows.flatMap((row) => (possible.has(row.cell) ? row.runs : []));
  if (runs.some(({ figures }) => figures?.outcome === 'failed')) return EXIT.criteriaFailed;
  const duets = runs.flatMap(({ figures }) => figures?.duet ?? []);
  if (duets.some((duet) => isDuetWorse(duet, tolerance))) return EXIT.worse;
  if (duets.some(({ conclusion }) => conclusion === 'inconclusive')) return EXIT.inconclusive;
  const isConclusive = runs.every(({ state, figures }) => state === 'value' && figures?.outcome !== 'inconclusive');
  return isConclusive ? EXIT.fine : EXIT.inconclusive;
}

const ONE_RUN_ONLY = `holdfast: --graph belongs to a single run, and this preset makes several.
  When the runs have ended, attach the file to each that it shows: holdfast monitors attach RUN FILE
`;
