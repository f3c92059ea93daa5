import { askKey, listAsks } from '#core/review/asks/ask.ts';
import { outlineSeries, outlineText } from '#core/series/outline.ts';
import { parseSeries } from '#core/series/check.ts';
import { listCommands, type SeriesDocument } from '#core/plan/schema/series.ts';
import { formatCount } from '#core/base/units.ts';
import type { Client } from '#contract/rpc/client.ts';
import { type CliContext, withClient, type AddCommand } from '../context.ts';
import { EXIT, type ExitCode } from '../exitCodes.ts';
import { printIssues, optionError, textTable } from '../output/problems.ts';
import { readPlanFile } from '../plans/source.ts';
import { otlpOption, type SinkFlags, sinkOptions } from '../input/metricsSink.ts';
import { addAllowOption, Consent, type AllowFlags } from '../input/consent.ts';
import { performSeries, withGenerators, writeSeries, type SeriesOutput } from '../running/performSeries.ts';
import { findRunId, findSeriesId, isSeriesId } from '../running/findRun.ts';
import { addTolerance } from './baselineOptions.ts';
import { readGenerators, quietOption, requireJudgedOption } from './runOptions.ts';

const MAX_LISTED_SERIES = 100;

interface SeriesFlags extends AllowFlags, SinkFlags {
  readonly json?: string;
  readonly csv?: string;
  readonly quiet?: boolean;
  readonly requireJudged?: boolean;
  readonly on?: string;
  readonly describe?: boolean;
  readonly duet?: boolean;
  readonly tolerance?: number;
  readonly resume?: string;
  readonly delete?: string;
  readonly merge?: string[];
}

export const addSeries: AddCommand = (program, { context, exit }) => {
  const command = program
    .command('series')
    .description('run a plan under several conditions and compare them in one table; without a file, list the series')
    .argument('[file]', 'a plan in YAML or JSON with a block “series:”')
    .option('--json <file>', 'save the result of the series as JSON; - writes it to standard output instead of the table')
    .option('--csv <file>', 'save the table as CSV')
    .addOption(quietOption())
    .addOption(requireJudgedOption())
    .option('--on <generators>', 'load generators, separated by commas: hosts, or “here”; a variant can have its own in the file')
    .addOption(otlpOption())
    .option('--duet', 'let the two variants take turns within one run, and compare them')
    .option('--describe', 'describe the series without running it: cells, loads, duration and commands')
    .option('--resume <id>', 'continue a series that ended early, with the cells that are not measured')
    .option('--delete <id>', 'delete a series; the runs of its cells stay in the history')
    .option('--merge <id...>', 'combine several series and runs of one test in one table');
  addAllowOption(addTolerance(command)).action(async (file: string | undefined, flags: SeriesFlags) => {
    const stored = useStoredSeries(file, flags, context);
    if (stored !== null) return exit(await stored);
    if (file === undefined) return context.out.write(await withClient(context, (client) => listSeries(client)));
    const text = await readPlanFile(file, context.currentDirectory);
    const { document: given, issues } = parseSeries(text, flags.duet === true);
    const isQuiet = flags.quiet === true;
    await printIssues(context.err, isQuiet ? issues.filter(({ level }) => level === 'error') : issues);
    if (given === null) return exit(EXIT.invalidPlan);
    const document = { plan: given.plan, series: withGenerators(given.series, readGenerators(flags.on)) };
    if (flags.describe === true) return context.out.write(outlineText(document, outlineSeries(document)));
    const consent = new Consent(flags.allow, context, { kind: 'file', path: file, text });
    const commands = listCommands(document);
    if (commands.length > 0 && !isQuiet) await context.err.write(commandsText(document, commands));
    const output: SeriesOutput = { ...readOutput(flags), requiresJudged: flags.requireJudged === true };
    const code = await withClient(context, (client) => performSeries({ document, consent, output, context, client }), {
      runsCommands: true,
      ...sinkOptions(flags),
    });
    return exit(code);
  });
};

/** Resumes, deletes or merges stored series; returns null if no option asks for that. */
function useStoredSeries(file: string | undefined, flags: SeriesFlags, context: CliContext): Promise<ExitCode> | null {
  const asked = [flags.resume, flags.delete, flags.merge].filter((flag) => flag !== undefined);
  if (asked.length === 0) return null;
  if (asked.length > 1 || file !== undefined)
    throw optionError('Run a series from a file, resume, delete or merge: one at a time.', 'See: holdfast series --help');
  if (flags.resume !== undefined) return resumeStored(flags.resume, flags, context);
  if (flags.delete !== undefined) return deleteStored(flags.delete, context);
  return mergeStored(flags.merge ?? [], flags, context);
}

function readOutput({ json, csv, quiet, tolerance }: SeriesFlags): SeriesOutput {
  return { json, csv, quiet: quiet === true, tolerance };
}

async function resumeStored(id: string, flags: SeriesFlags, context: CliContext): Promise<ExitCode> {
  return withClient(
    context,
    async (client) => {
      const seriesId = await findSeriesId(client, id);
      const { document } = await client.call('series.result', { seriesId });
      const commands = listCommands(document);
      if (commands.length > 0 && flags.quiet !== true) await context.err.write(commandsText(document, commands));
      const consent = new Consent(flags.allow, context, new Set(listAsks(document).map(askKey)));
      return performSeries({ document, resume: seriesId, consent, output: readOutput(flags), context, client });
    },
    { runsCommands: true, ...sinkOptions(flags) },
  );
}

async function deleteStored(id: string, context: CliContext): Promise<ExitCode> {
  const deleted = await withClient(context, async (client) => {
    const seriesId = await findSeriesId(client, id);
    await client.call('series.remove', { seriesId });
    return seriesId;
  });
  await context.out.write(`The series ${deleted} is deleted. The runs of its cells are still in the history: holdfast runs\n`);
  return EXIT.fine;
}

async function mergeStored(ids: readonly string[], flags: SeriesFlags, context: CliContext): Promise<ExitCode> {
  const result = await withClient(context, async (client) => {
    const batches = await Promise.all(
      ids.map(async (id) => (isSeriesId(id) ? { seriesId: await findSeriesId(client, id) } : { runId: await findRunId(client, id) })),
    );
    return client.call('series.merge', { batches });
  });
  await writeSeries(result, readOutput(flags), context);
  return EXIT.fine;
}

async function listSeries(client: Client): Promise<string> {
  const { series } = await client.call('series.list', { limit: MAX_LISTED_SERIES });
  if (series.length === 0) return 'No series. How to make one: docs/series.md\n';
  return textTable(
    series.map(({ id, startedAt, state, done, planned, name }) => [
      id,
      startedAt.slice(0, 19).replace('T', ' '),
      state,
      `${formatCount(done)} of ${formatCount(planned)} runs`,
      name,
    ]),
  );
}

function commandsText({ series }: SeriesDocument, commands: readonly string[]): string {
  const many = series.variants.length > 1 ? 'those of a variant around its cells only' : 'around each cell';
  return `This series runs on this computer, ${many}:\n${commands.map((command) => `  $ ${command}\n`).join('')}`;
}
