import type { Command } from 'commander';
import { breakingPointSettingsSchema } from '#core/search/breakingPoint/schema.ts';
import { planOfSearch } from '#core/search/search.ts';
import type { ExitCode } from '../exitCodes.ts';
import { collect, OptionReader, parseSettings } from '../input/optionReader.ts';
import { invalidPlan } from '../output/problems.ts';
import { findPlanSource, isAddress, planOfAddress, readGivenSettings } from '../plans/source.ts';
import { withPracticeServer } from '../running/practiceServer.ts';
import { addAllowOption, type AllowFlags } from '../input/consent.ts';
import { otlpOption, type SinkFlags } from '../input/metricsSink.ts';
import { performSearch, deleteSearch, listSearches } from '../running/performSearch.ts';
import { searchGenerators } from '../plans/hosts.ts';
import type { AddCommand } from '../context.ts';
import { addLoadOptions, type LoadFlags, answersOption, PLAN_OR_PRESET } from './loadOptions.ts';
import { LAB_HELP, type UsePlan, withPlan } from './run.ts';
import { onOption, readGenerators, quietOption, requireJudgedOption } from './runOptions.ts';

interface BreakingPointFlags extends LoadFlags, AllowFlags, SinkFlags {
  readonly set: string[];
  readonly answers?: string;
  readonly lab?: boolean;
  readonly on?: string;
  readonly json?: string;
  readonly quiet?: boolean;
  readonly delete?: string;
  readonly before: string[];
  readonly from?: string;
  readonly to?: string;
  readonly growth?: string;
  readonly precision?: string;
  readonly repeats?: string;
  readonly levels?: string;
  readonly seconds?: string;
  readonly warmUp?: string;
  readonly coolDown?: string;
  readonly overload?: string;
  readonly maxTime?: string;
  readonly maxRequests?: string;
  readonly requireJudged?: boolean;
  /** commander's name for `--no-recovery`. The value is true unless the option was given. */
  readonly recovery: boolean;
}

export const addBreakingPoint: AddCommand = (program, { context, exit }) => {
  const command = program
    .command('breaking-point')
    .description('find the lowest load that fails, by runs with rising and then narrowing levels; without a plan, list the searches')
    .argument(
      '[preset, file or url]',
      `${PLAN_OR_PRESET}; its pass criteria decide which levels fail. An address is tested with p95 of 1 s and at most 1 % errors`,
    )
    .option('--set <key=value>', 'as for run', collect, [])
    .addOption(answersOption())
    .option('--lab', LAB_HELP);
  addAllowOption(addSearchOptions(addLoadOptions(command)).optionsGroup('Machines and permissions:'))
    .addOption(onOption())
    .addOption(otlpOption())
    .optionsGroup('Result:')
    .option('--json <file>', 'save the result and all levels as JSON; - writes it to standard output instead of the text')
    .addOption(quietOption())
    .addOption(requireJudgedOption())
    .option('--delete <id>', 'delete a search; its runs stay in the history')
    .action(async (name: string | undefined, flags: BreakingPointFlags) => {
      if (flags.delete !== undefined) return context.out.write(await deleteSearch(flags.delete, context));
      if (name === undefined) return context.out.write(await listSearches('breakingPoint', NO_SEARCHES, context));
      const { settings, issues } = readSettings(flags);
      if (settings === null) throw invalidPlan(issues);
      const source = isAddress(name) ? planOfAddress(name) : await findPlanSource(name, context);
      const set = await readGivenSettings(source, flags, context);
      const output = { json: flags.json, quiet: flags.quiet === true, requiresJudged: flags.requireJudged === true };
      const perform: UsePlan = async (givenPlan, client, consent, series) => {
        const { plan, variant } = planOfSearch(givenPlan, series);
        if (variant !== null && !output.quiet) await context.err.write(`The search uses the first of several servers: ${variant}.\n`);
        const document = { kind: 'breakingPoint' as const, plan, settings, ...searchGenerators(readGenerators(flags.on)) };
        return performSearch(document, output, context, client, consent);
      };
      const run = (names: readonly string[]): Promise<ExitCode> =>
        withPlan(source, { ...flags, set: names }, output.quiet, context, perform, { runsCommands: flags.before.length > 0 });
      exit(flags.lab === true ? await withPracticeServer(source, set, context, run) : await run(set));
    });
};

const NO_SEARCHES = 'No searches. How to start one: docs/breaking-point.md\n';

function addSearchOptions(command: Command): Command {
  return command
    .optionsGroup('Levels:')
    .option(
      '--from <n>',
      'first level in the plan’s unit: requests a second, users, connections, or people at a bell (default: a quarter of the plan’s highest)',
    )
    .option('--to <n>', 'highest level; the search ends if it passes')
    .option('--growth <factor>', 'factor from one level to the next, until one fails (default: 2)')
    .option('--precision <percent>', 'precision of the result, in percent (default: 5)')
    .option('--repeats <n>', 'runs of each level; the majority decides (default: 1)')
    .option('--levels <n>', 'maximum number of levels (default: 12)')
    .option('--seconds <time>', 'measured time of a level; longer if responses are slow or rare, or to rule out chance (default: 10s)')
    .option('--warm-up <time>', 'warm-up before each level, not measured (default: 2s)')
    .option('--cool-down <time>', 'pause after each level, in addition to the wait for connections to close (default: 2s)')
    .option(
      '--before <command>',
      'run this command before each level to reset the server; rows of feeds with “order: once” are then used again (repeatable)',
      collect,
      [],
    )
    .option('--overload <time>', 'duration of an overload of 1.5 times the sustained load, to measure recovery (default: 10s)')
    .option('--no-recovery', 'do not measure recovery')
    .option('--max-time <time>', 'time limit of the search: no level starts that would exceed it')
    .option('--max-requests <n>', 'request limit of the search');
}

/** Returns the settings from the options, or every problem with them. */
function readSettings(flags: BreakingPointFlags) {
  const reader = new OptionReader();
  const readOption = <Value>(option: string, text: string | undefined, read: (option: string, text: string) => Value): Value | undefined =>
    text === undefined ? undefined : read.call(reader, option, text);
  const precision = readOption('--precision', flags.precision, reader.requirePositive);
  const written = {
    from: readOption('--from', flags.from, reader.requirePositive),
    to: readOption('--to', flags.to, reader.requirePositive),
    growth: readOption('--growth', flags.growth, reader.requirePositive),
    precision: precision === undefined ? undefined : precision / 100,
    repeats: readOption('--repeats', flags.repeats, reader.integer),
    maxLevels: readOption('--levels', flags.levels, reader.integer),
    secondsEach: readOption('--seconds', flags.seconds, reader.seconds),
    warmUpSeconds: readOption('--warm-up', flags.warmUp, reader.seconds),
    coolDownSeconds: readOption('--cool-down', flags.coolDown, reader.seconds),
    overloadSeconds: readOption('--overload', flags.overload, reader.seconds),
    maxSeconds: readOption('--max-time', flags.maxTime, reader.seconds),
    maxRequests: readOption('--max-requests', flags.maxRequests, reader.integer),
    recovery: flags.recovery,
    before: flags.before,
  };
  return parseSettings(breakingPointSettingsSchema, written, reader);
}
