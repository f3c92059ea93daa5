import { tryText } from '#core/work/samples/text.ts';
import { EXIT, type ExitCode } from '../exitCodes.ts';
import { jsonText } from '../output/jsonFile.ts';
import { findPlanSource } from '../plans/source.ts';
import { addAllowOption, type AllowFlags } from '../input/consent.ts';
import { REUSE_ROWS_HELP, reportRowsLeft } from '../running/preflight.ts';
import { withPracticeServer } from '../running/practiceServer.ts';
import { collect } from '../input/optionReader.ts';
import { REHEARSING_PEOPLE, rehearsalPlan } from '#core/work/samples/rehearsal.ts';
import { optionError } from '../output/problems.ts';
import { performRun, type RunOutput } from '../running/perform.ts';
import type { AddCommand } from '../context.ts';
import { addLoadOptions, type LoadFlags, PLAN_OR_PRESET } from './loadOptions.ts';
import { LAB_HELP, withPlan } from './run.ts';
import { jsonOption } from './runOptions.ts';

interface TryFlags extends LoadFlags, AllowFlags {
  readonly set: readonly string[];
  readonly lab?: boolean;
  readonly json?: boolean;
  readonly reuseRows?: boolean;
  readonly people?: string;
}

export const addTry: AddCommand = (program, { context, exit }) => {
  const command = program
    .command('try')
    .description('walk the journey of a plan once, and show every request with its response; nothing is measured')
    .argument('<preset or file>', PLAN_OR_PRESET)
    .option('--set <key=value>', 'as for run', collect, [])
    .option('--lab', LAB_HELP)
    .option('--reuse-rows', REUSE_ROWS_HELP)
    .option(
      '--people <number>',
      `send this many people through all bells, such as ${REHEARSING_PEOPLE}, a few seconds apart; it is stored as a run`,
    )
    .addOption(jsonOption());
  addAllowOption(addLoadOptions(command).optionsGroup('Machines and permissions:')).action(async (name: string, flags: TryFlags) => {
    const people = readPeople(flags.people);
    const source = await findPlanSource(name, context);
    // For a plan file, only its journey is sent, which shows redirects itself.
    const trial = source.kind === 'preset';
    const tryOnce = (set: readonly string[]): Promise<ExitCode> =>
      withPlan(
        source,
        { ...flags, set, trial },
        flags.json === true,
        context,
        async (plan, client, consent) => {
          if (people !== null) return performRun(rehearsalPlan(plan, people), rehearsalOutput(flags.json), context, client, consent);
          const agreedKeys = await consent.agreeToPlan({ plan }, client);
          await reportRowsLeft(plan, agreedKeys, { client, err: context.err, reuses: flags.reuseRows === true });
          const report = await client.call('plans.try', { plan, agreed: agreedKeys });
          await context.out.write(flags.json === true ? jsonText(report) : tryText(report));
          return report.isGood ? EXIT.fine : EXIT.tryFailed;
        },
        { runsCommands: people !== null },
      );
    exit(flags.lab === true ? await withPracticeServer(source, flags.set, context, tryOnce) : await tryOnce(flags.set));
  });
};

const MAX_REHEARSING_PEOPLE = 50;

/** Parses a number of people; null without the option. Throws `BAD_OPTION` for anything but a small whole number. */
function readPeople(text: string | undefined): number | null {
  if (text === undefined) return null;
  const people = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (people >= 1 && people <= MAX_REHEARSING_PEOPLE) return people;
  throw optionError(
    `--people ${text} cannot be used.`,
    `Enter a whole number from 1 to ${MAX_REHEARSING_PEOPLE}. For more, use holdfast run.`,
  );
}

function rehearsalOutput(isJson: boolean | undefined): RunOutput {
  return { json: isJson === true ? '-' : undefined, format: 'text', quiet: isJson === true, on: undefined, monitors: [] };
}
