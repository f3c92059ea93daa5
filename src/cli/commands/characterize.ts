import { hostOf } from '#core/plan/url.ts';
import { parseValue } from '#core/review/check.ts';
import { characterizeSettingsSchema } from '#core/search/characterize/schema.ts';
import { OptionReader, parseSettings } from '../input/optionReader.ts';
import { invalidPlan } from '../output/problems.ts';
import { type Access, withPlanOfUrl } from '../plans/access.ts';
import { setFields } from '../plans/fields.ts';
import { addAllowOption, type AllowFlags, Consent } from '../input/consent.ts';
import { otlpOption, type SinkFlags } from '../input/metricsSink.ts';
import { performSearch, deleteSearch, listSearches } from '../running/performSearch.ts';
import { searchGenerators } from '../plans/hosts.ts';
import type { AddCommand } from '../context.ts';
import { addLoadOptions, type LoadFlags, readLoadFlags, addAccessOptions } from './loadOptions.ts';
import { onOption, resultOption, readGenerators, quietOption, requireJudgedOption } from './runOptions.ts';

interface CharacterizeFlags extends LoadFlags, AllowFlags, SinkFlags {
  readonly header: string[];
  readonly cookie: string[];
  readonly users?: string;
  readonly seconds?: string;
  readonly idle?: string;
  readonly maxTime?: string;
  readonly on?: string;
  readonly json?: string;
  readonly quiet?: boolean;
  readonly requireJudged?: boolean;
  readonly delete?: string;
}

export const addCharacterize: AddCommand = (program, { context, exit }) => {
  const command = program
    .command('characterize')
    .description(
      'analyze an unknown server: time per request, number of workers, length of the queue; without an address, list the analyses',
    )
    .argument('[url]', 'address of a page, with http:// or https://');
  addAccessOptions(command)
    .optionsGroup('Levels:')
    .option('--users <n>', 'test 1, 2, 4 … users, up to this many (default: 128)')
    .option('--seconds <time>', 'measured time of each level; longer if responses are slow (default: 3s)')
    .option('--idle <time>', 'how long a connection stays idle to measure when the server closes it (default: 10s)')
    .option('--max-time <time>', 'time limit of the analysis: nothing starts that would exceed it (default: 10m)');
  addAllowOption(addLoadOptions(command).optionsGroup('Machines and permissions:'))
    .addOption(onOption())
    .addOption(otlpOption())
    .optionsGroup('Result:')
    .addOption(resultOption())
    .addOption(quietOption())
    .addOption(requireJudgedOption())
    .option('--delete <id>', 'delete an analysis; its runs stay in the history')
    .action(async (url: string | undefined, flags: CharacterizeFlags) => {
      if (flags.delete !== undefined) return context.out.write(await deleteSearch(flags.delete, context));
      if (url === undefined) return context.out.write(await listSearches('characterize', NO_ANALYSES, context));
      const { fields, issues: unreadable } = await readLoadFlags(flags, context.currentDirectory);
      const { settings, issues } = readSettings(flags);
      const output = { json: flags.json, quiet: flags.quiet === true, requiresJudged: flags.requireJudged === true };
      const consent = new Consent(flags.allow, context);
      await withPlanOfUrl(
        (access) => planOfUrl(url, fields, access),
        flags,
        [...unreadable, ...issues],
        context,
        async (plan, client) => {
          if (settings === null) throw invalidPlan(issues);
          const document = { kind: 'characterize' as const, plan, settings, ...searchGenerators(readGenerators(flags.on)) };
          exit(await performSearch(document, output, context, client, consent));
        },
      );
    });
};

const NO_ANALYSES = 'No analyses. How to start one: docs/breaking-point.md\n';

function planOfUrl(url: string, fields: ReadonlyMap<string, string>, access: Access): ReturnType<typeof parseValue> {
  const written = {
    holdfast: 1,
    name: `What is ${hostOf(url)}?`.slice(0, 120),
    targets: [{ url, headers: access.headers, ...(access.cookie === undefined ? {} : { cookie: access.cookie }) }],
    journey: [{ name: 'page' }],
    load: { model: 'users', stages: [{ users: 1, seconds: 1 }] },
  };
  const issues = setFields(written, fields);
  if (issues.length > 0) return { plan: null, issues };
  const parsedPlan = parseValue(written);
  return { ...parsedPlan, issues: parsedPlan.issues.filter(({ level }) => level === 'error') };
}

function readSettings(flags: CharacterizeFlags) {
  const reader = new OptionReader();
  const written = {
    maxUsers: flags.users === undefined ? undefined : reader.integer('--users', flags.users),
    secondsEach: flags.seconds === undefined ? undefined : reader.seconds('--seconds', flags.seconds),
    idleSeconds: flags.idle === undefined ? undefined : reader.seconds('--idle', flags.idle),
    maxSeconds: flags.maxTime === undefined ? undefined : reader.seconds('--max-time', flags.maxTime),
  };
  return parseSettings(characterizeSettingsSchema, written, reader);
}
