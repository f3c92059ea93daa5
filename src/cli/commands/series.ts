import { unconfirmedHosts } from '#core/series/check.ts';
import { expandSeries } from '#core/series/cells.ts';
import { outlineSeries, outlineText } from '#core/series/outline.ts';
import { parseSeries } from '#core/series/parse.ts';
import { commandsOf, type SeriesDocument } from '#core/series/schema.ts';
import { HoldfastError } from '#core/errors.ts';
import { formatCount } from '#core/units.ts';
import type { Client } from '#contract/rpc/client.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exitCodes.ts';
import { printIssues } from '../output/problems.ts';
import { textTable } from '../output/table.ts';
import { readPlanFile } from '../plans/source.ts';
import { hostsNeedConsent, withConsent } from '../running/consent.ts';
import { performSeries, withPlaces, writeSeries, type SeriesOutput } from '../running/performSeries.ts';
import { findSeriesId } from '../running/findRun.ts';
import { collect, withBackend, type AddCommand } from './command.ts';
import { readPlaces } from './runOptions.ts';

const LISTED = 100;

interface SeriesFlags {
  readonly json?: string;
  readonly csv?: string;
  readonly quiet?: boolean;
  readonly on?: string;
  readonly allowHost: string[];
  readonly yesRunCommands?: boolean;
  readonly describe?: boolean;
  readonly resume?: string;
  readonly delete?: string;
  readonly merge?: string[];
}

export const addSeries: AddCommand = (program, { context, exit }) => {
  program
    .command('series')
    .description('run a plan under several conditions and compare them in one table; without a file, list the series')
    .argument('[file]', 'a plan in YAML or JSON with a block “series:”')
    .option('--json <file>', 'save the result of the series as JSON; - writes it to standard output instead of the table')
    .option('--csv <file>', 'save the table as CSV')
    .option('--quiet', 'print nothing but errors')
    .option('--on <places>', 'run its loads from these places, with commas: hosts, and “here”; a variant may name its own in the file')
    .option('--allow-host <host>', 'confirm that this public host is yours to test (repeat it for several)', collect, [])
    .option('--yes-run-commands', 'run the commands of the series on this computer; without it they are only shown')
    .option('--describe', 'say what the series would do: its cells in their order, the load of each, how long it takes, its commands')
    .option('--resume <id>', 'go on with a series that ended early: with the cells that are not measured')
    .option('--delete <id>', 'forget a series; the runs of its cells stay in the history')
    .option('--merge <id...>', 'print several series of one test, run at different times, as one table')
    .action(async (file: string | undefined, flags: SeriesFlags) => {
      const stored = storedSeries(file, flags, context);
      if (stored !== null) return exit(await stored);
      if (file === undefined) return context.out.write(await withBackend(context, (backend) => listedSeries(backend.client())));
      const { document: given, issues } = parseSeries(await readPlanFile(file, context.currentDirectory));
      const isQuiet = flags.quiet === true;
      await printIssues(context.err, isQuiet ? issues.filter(({ level }) => level === 'error') : issues);
      if (given === null) return exit(EXIT.invalidPlan);
      const document = { plan: withConsent(given.plan, flags.allowHost), series: withPlaces(given.series, readPlaces(flags.on)) };
      if (flags.describe === true) return context.out.write(outlineText(document, outlineSeries(document)));
      const open = unconfirmedHosts(expandSeries(document));
      if (open.length > 0) throw hostsNeedConsent(open);
      const commands = commandsOf(document);
      if (commands.length > 0 && !isQuiet) await context.err.write(shownCommands(document, commands));
      if (commands.length > 0 && flags.yesRunCommands !== true) throw commandsNeedConsent(commands);
      const output: SeriesOutput = { json: flags.json, csv: flags.csv, quiet: isQuiet };
      const code = await withBackend(
        context,
        (backend) => performSeries({ document, commands, output, context, client: backend.client() }),
        {
          runsCommands: true,
        },
      );
      return exit(code);
    });
};

/** What is done with series that have been run: null where none is named. */
function storedSeries(file: string | undefined, flags: SeriesFlags, context: CliContext): Promise<ExitCode> | null {
  const asked = [flags.resume, flags.delete, flags.merge].filter((flag) => flag !== undefined);
  if (asked.length === 0) return null;
  if (asked.length > 1 || file !== undefined)
    throw new HoldfastError({
      code: 'BAD_OPTION',
      message: 'A series is run from a file, resumed, deleted or merged: one of these at a time.',
      hint: 'See: holdfast series --help',
    });
  if (flags.resume !== undefined) return resumeStored(flags.resume, flags, context);
  if (flags.delete !== undefined) return deleteStored(flags.delete, context);
  return mergeStored(flags.merge ?? [], flags, context);
}

function outputOf({ json, csv, quiet }: SeriesFlags): SeriesOutput {
  return { json, csv, quiet: quiet === true };
}

async function resumeStored(id: string, flags: SeriesFlags, context: CliContext): Promise<ExitCode> {
  return withBackend(
    context,
    async (backend) => {
      const client = backend.client();
      const seriesId = await findSeriesId(client, id);
      const { document } = await client.call('series.result', { seriesId });
      const commands = commandsOf(document);
      if (commands.length > 0 && flags.quiet !== true) await context.err.write(shownCommands(document, commands));
      if (commands.length > 0 && flags.yesRunCommands !== true) throw commandsNeedConsent(commands);
      return performSeries({ document, resume: seriesId, commands, output: outputOf(flags), context, client });
    },
    { runsCommands: true },
  );
}

async function deleteStored(id: string, context: CliContext): Promise<ExitCode> {
  const deleted = await withBackend(context, async (backend) => {
    const client = backend.client();
    const seriesId = await findSeriesId(client, id);
    await client.call('series.remove', { seriesId });
    return seriesId;
  });
  await context.out.write(`The series ${deleted} is deleted. The runs of its cells are still in the history: holdfast runs\n`);
  return EXIT.fine;
}

async function mergeStored(ids: readonly string[], flags: SeriesFlags, context: CliContext): Promise<ExitCode> {
  const result = await withBackend(context, async (backend) => {
    const client = backend.client();
    const seriesIds: string[] = [];
    for (const id of ids) seriesIds.push(await findSeriesId(client, id));
    return client.call('series.merge', { seriesIds });
  });
  await writeSeries(result, outputOf(flags), context);
  return EXIT.fine;
}

async function listedSeries(client: Client): Promise<string> {
  const { series } = await client.call('series.list', { limit: LISTED });
  if (series.length === 0) return 'There is no series yet. docs/series.md tells how to make one.\n';
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

function shownCommands({ series }: SeriesDocument, commands: readonly string[]): string {
  const many = series.variants.length > 1 ? 'those of a variant around its cells only' : 'around each cell';
  return `This series runs on this computer, ${many}:\n${commands.map((command) => `  $ ${command}\n`).join('')}`;
}

function commandsNeedConsent(commands: readonly string[]): HoldfastError {
  return new HoldfastError({
    code: 'COMMANDS_NEED_CONSENT',
    message: `The series wants to run ${commands.length === 1 ? 'a command' : `${commands.length} commands`} on this computer, and nothing was run.`,
    hint: `Read ${commands.length === 1 ? 'it' : 'them'}: ${commands.join(' · ')}\nIf that is what you want, add --yes-run-commands`,
    data: { commands },
  });
}
