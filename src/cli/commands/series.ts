import { unconfirmedHosts } from '#core/series/check.ts';
import { expandSeries } from '#core/series/cells.ts';
import { parseSeries } from '#core/series/parse.ts';
import { commandsOf, type SeriesDocument } from '#core/series/schema.ts';
import { HoldfastError } from '#core/errors.ts';
import { formatCount } from '#core/units.ts';
import type { Client } from '#contract/rpc/client.ts';
import { EXIT } from '../exitCodes.ts';
import { printIssues } from '../output/problems.ts';
import { textTable } from '../output/table.ts';
import { readPlanFile } from '../plans/source.ts';
import { hostsNeedConsent, withConsent } from '../running/consent.ts';
import { performSeries, type SeriesOutput } from '../running/performSeries.ts';
import { collect, withBackend, type AddCommand } from './command.ts';

const LISTED = 100;

interface SeriesFlags {
  readonly json?: string;
  readonly csv?: string;
  readonly quiet?: boolean;
  readonly allowHost: string[];
  readonly yesRunCommands?: boolean;
}

export const addSeries: AddCommand = (program, { context, exit }) => {
  program
    .command('series')
    .description('run a plan under several conditions and compare them in one table; without a file, list the series')
    .argument('[file]', 'a plan in YAML or JSON with a block “series:”')
    .option('--json <file>', 'save the result of the series as JSON; - writes it to standard output instead of the table')
    .option('--csv <file>', 'save the table as CSV')
    .option('--quiet', 'print nothing but errors')
    .option('--allow-host <host>', 'confirm that this public host is yours to test (repeat it for several)', collect, [])
    .option('--yes-run-commands', 'run the commands of the series on this computer; without it they are only shown')
    .action(async (file: string | undefined, flags: SeriesFlags) => {
      if (file === undefined) return context.out.write(await withBackend(context, (backend) => listedSeries(backend.client())));
      const { document: given, issues } = parseSeries(await readPlanFile(file, context.currentDirectory));
      const isQuiet = flags.quiet === true;
      await printIssues(context.err, isQuiet ? issues.filter(({ level }) => level === 'error') : issues);
      if (given === null) return exit(EXIT.invalidPlan);
      const document = { ...given, plan: withConsent(given.plan, flags.allowHost) };
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
