import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Argument, type Command, Option, InvalidArgumentError } from 'commander';
import { stringify } from 'yaml';
import type { Choice, ChosenParts, ChoiceKind, ImportedPlan } from '#core/import/imported.ts';
import { readImporter, IMPORTERS, titleOf } from '#core/import/importers.ts';
import { HoldfastError, describeReadFailure } from '#core/base/errors.ts';
import { importText } from '#core/import/importText.ts';
import { askKey, listAsks, recordingAsking } from '#core/review/asks/ask.ts';
import { parsePlan } from '#core/review/check.ts';
import { type CliContext, type AddCommand, withClient } from '../context.ts';
import { requireNewFile, writeNewFile } from '../output/jsonFile.ts';
import { notesText, invalidPlan } from '../output/problems.ts';
import { addAllowOption, type AllowFlags, Consent } from '../input/consent.ts';
import { requirePlan } from '../plans/fromPreset.ts';
import { readPlanFile } from '../plans/source.ts';
import { writeRecorded, walkText } from './writeRecorded.ts';

/** Describes the detected format, and the values to set before a run. */
function importedText({ kind, notes, secrets, choices = [], chooses = 'operations' }: ImportedPlan): string {
  const names = [...secrets.keys()];
  return [
    `This is ${titleOf(kind)}.\n`,
    choices.length === 0 ? '' : choicesText(choices, chooses),
    notesText(notes),
    names.length === 0 ? '' : `Before a run, set ${names.join(', ')} to what the original says there.\n`,
  ].join('');
}

function choicesText(choices: readonly Choice[], chooses: ChoiceKind): string {
  const takenChoices = choices.filter(({ isTaken }) => isTaken);
  if (chooses === 'operations') return `${takenChoices.length} of ${choices.length} operations were taken; --operations chooses others.\n`;
  if (chooses === 'hosts')
    return `${takenChoices.length} of ${choices.length} servers were taken; --hosts NAME,NAME chooses among: ${choices.map(({ id }) => id).join(', ')}.\n`;
  const ids = choices.map(({ id }) => id).join(', ');
  return `The environment “${takenChoices[0]?.id ?? ''}” was used; --environment NAME chooses another: ${ids}.\n`;
}

interface ImportFlags extends K6ImportFlags, Partial<AllowFlags> {
  readonly walk?: boolean;
  readonly accounts?: string;
  readonly accountsOnce?: boolean;
  readonly out?: string;
  readonly operations?: string;
  readonly environment?: string;
  readonly hosts?: string;
}

/** Format name for a finished k6 run in Prometheus, which is imported instead of a plan. */
const K6_PROMETHEUS = 'k6-prometheus';

const WIDTH = 140;
/** Help texts of options that all commands which create a plan share. */
export const OUT_HELP = 'new file for the plan (default: print the plan)';
export const ACCOUNTS_HELP = 'CSV file with the columns username and password; each user of the plan gets one account';
export const ACCOUNTS_ONCE = 'use each account only once, as in an exam';

const NO_REPLAY_NOTE =
  'The journey was not walked again: values that change were guessed from their form, and whether the server accepts each step is unknown. Use --walk to find out.\n';

function isHar(kind: string): boolean {
  return kind === 'auto' || kind === 'har';
}

const ONE_ACCOUNT =
  'Only the recorded account is walked: what belongs to an account looks the same each time and is sent as recorded. --accounts FILE walks as others, too.\n';

/** Formats that accept each option. With `auto`, the detected format decides. */
const ACCEPTS_OPTION: Readonly<Record<Exclude<keyof ImportFlags, keyof AllowFlags>, (kind: string) => boolean>> = {
  walk: isHar,
  accounts: isHar,
  accountsOnce: isHar,
  out: (kind) => kind !== K6_PROMETHEUS,
  operations: (kind) => kind === 'auto' || readImporter(kind)?.chooses === 'operations',
  environment: (kind) => kind === 'auto' || readImporter(kind)?.chooses === 'environment',
  hosts: (kind) => kind === 'auto' || readImporter(kind)?.chooses === 'hosts',
  run: (kind) => kind === K6_PROMETHEUS,
  plan: (kind) => kind === K6_PROMETHEUS,
  days: (kind) => kind === K6_PROMETHEUS,
};

export const addImport: AddCommand = (program, { context }) => {
  const command = program
    .command('import')
    .description('convert a command line, a recording or a document of another tool into a plan; without --walk, nothing is sent')
    .addArgument(new Argument('<kind>', 'its format; auto detects it').choices(['auto', ...IMPORTERS.map(({ id }) => id), K6_PROMETHEUS]))
    .argument(
      '[files...]',
      `input file (default: standard input); several files for FunkLoad (configuration, test), Postman (collection, environment) and Bruno. For ${K6_PROMETHEUS}: address of Prometheus`,
    )
    .option('-o, --out <file>', OUT_HELP)
    .option('--operations <ids>', `for ${titlesOfFormats('operations')}: operations to import, separated by commas, or all`)
    .addOption(new Option('--environment <name>', `for ${titlesOfFormats('environment')}: environment to use`).conflicts('operations'))
    .addOption(
      new Option(
        '--hosts <names>',
        `for ${titlesOfFormats('hosts')}: servers whose requests are imported, separated by commas, or all`,
      ).conflicts(['operations', 'environment', 'walk']),
    )
    .option('--run <name>', `for ${K6_PROMETHEUS}: name of the TestRun, or value of the tag testid`)
    .option('--plan <file>', `for ${K6_PROMETHEUS}: plan from which the run was exported`)
    .addOption(new Option('--days <days>', `for ${K6_PROMETHEUS}: number of days to search`).default(15).argParser(parseDays))
    .option('--walk', 'for a HAR file: walk the journey again, to find values that change in each session and to check each step')
    .option('--accounts <file>', `with --walk: ${ACCOUNTS_HELP}`)
    .option('--accounts-once', `with --accounts: ${ACCOUNTS_ONCE}`);
  addAllowOption(command).action(async (kind: string, files: string[], flags: ImportFlags, command: Command) => {
    const [file = '-', ...more] = files;
    refuseInapplicableOptions(kind, command);
    if (kind === K6_PROMETHEUS) return importK6(file, flags, context);
    if (more.length > 0 && readImporter(kind)?.takesFiles !== true) throw oneFileOnly(kind);
    const texts = await Promise.all([file, ...more].map((one) => readSource(one, context)));
    const result = importText(texts.join('\n'), { kind: kind === 'auto' ? null : kind, chosen: readChosen(flags) });
    if (result.kind === 'refused') {
      await context.err.write(notesText(result.notes));
      throw invalidPlan(result.issues);
    }
    if (flags.walk === true && result.imported.kind === 'har') return walkHar(texts[0] ?? '', result.imported.plan, flags, context);
    const text = stringify(result.imported.written, { lineWidth: WIDTH });
    if (flags.out === undefined) await context.out.writeFile(text);
    else await writeNewFile(resolve(context.currentDirectory, flags.out), text, { code: 'PLAN_FILE' });
    await context.err.write(`${importedText(result.imported)}${result.imported.kind === 'har' ? NO_REPLAY_NOTE : ''}`);
  });
};

/** Replays the journey of a recording after the user agrees to its server. */
async function walkHar(har: string, { targets, journey }: ImportedPlan['plan'], flags: ImportFlags, context: CliContext): Promise<void> {
  const url = targets[0]?.url ?? '';
  const accountsFile = flags.accounts === undefined ? undefined : resolve(context.currentDirectory, flags.accounts);
  if (flags.out !== undefined) await requireNewFile(resolve(context.currentDirectory, flags.out), 'PLAN_FILE');
  const asks = listAsks(recordingAsking({ url, verify: true, accountsFile }));
  const agreedKeys = await new Consent(flags.allow ?? [], context, new Set(asks.map(askKey))).agreeToAsks(asks);
  const sent = journey.map(({ method, path }) => ({ method, url: path }));
  await context.err.write(walkText(sent));
  if (accountsFile === undefined) await context.err.write(ONE_ACCOUNT);
  const accounts = accountsFile === undefined ? {} : { accountsFile, accountsOnce: flags.accountsOnce === true };
  const made = await withClient(context, (client) => client.call('recordings.walkHar', { har, url, ...accounts, agreed: agreedKeys }));
  await writeRecorded(made, flags.out === undefined ? {} : { out: flags.out }, context);
}

function refuseInapplicableOptions(kind: string, command: Command): void {
  for (const [name, hasOption] of Object.entries(ACCEPTS_OPTION)) {
    if (hasOption(kind) || command.getOptionValueSource(name) !== 'cli') continue;
    throw new HoldfastError({
      code: 'OPTION_WITHOUT_EFFECT',
      message: `The option --${name} does not apply to ${kind}.`,
      hint: 'Leave it out. What each option applies to: holdfast import --help',
    });
  }
}

/** Returns the titles of the formats that let the user make this choice, joined with “or”, for help texts. */
function titlesOfFormats(choosing: ChoiceKind): string {
  return IMPORTERS.flatMap(({ title, chooses }) => (chooses === choosing ? [title] : [])).join(' or ');
}

function oneFileOnly(kind: string): HoldfastError {
  return new HoldfastError({
    code: 'ONE_FILE_ONLY',
    message: `Several files are imported of ${IMPORTERS.flatMap(({ name, takesFiles }) => (takesFiles === true ? [name] : [])).join(', ')} only.`,
    hint:
      kind === 'auto'
        ? 'Name the format: holdfast import postman COLLECTION.json ENVIRONMENT.json, or funkload NAME.conf test_NAME.py'
        : 'Import one file at a time.',
  });
}

function readChosen({ operations, environment, hosts }: ImportFlags): ChosenParts | null {
  if (hosts !== undefined) return { kind: 'hosts', ids: hosts.split(',').map((id) => id.trim()) };
  if (environment !== undefined) return { kind: 'environment', ids: [environment] };
  return operations === undefined ? null : { kind: 'operations', ids: operations.split(',').map((id) => id.trim()) };
}

async function readSource(file: string, context: CliContext): Promise<string> {
  if (file === '-') return context.standardInput();
  try {
    return await readFile(resolve(context.currentDirectory, file), 'utf8');
  } catch (cause) {
    throw new HoldfastError(
      {
        code: 'UNREADABLE_IMPORT',
        message: describeReadFailure(file, cause).message,
        hint: isFolder(cause)
          ? 'It is a folder. Name the files in it: holdfast import bruno FOLDER/*.bru'
          : 'Name a file that you can read. To import a command line, use standard input: echo "ab -n 100 http://localhost/" | holdfast import auto',
      },
      { cause },
    );
  }
}

function isFolder(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'EISDIR';
}

interface K6ImportFlags {
  readonly run?: string;
  readonly plan?: string;
  readonly days: number;
}

const MAX_DAYS = 400;

/** Imports a finished k6 run from Prometheus into the history. */
async function importK6(address: string, { run, plan: file, days }: K6ImportFlags, context: CliContext): Promise<void> {
  if (run === undefined || file === undefined) throw incompleteImport();
  const parsedPlan = parsePlan(await readPlanFile(file, context.currentDirectory));
  const plan = requirePlan(parsedPlan.plan, parsedPlan.issues);
  await withClient(context, async (client) => {
    const { runId } = await client.call('runs.importK6', { url: address, run, plan, days });
    await context.out.write(`${runId}\n`);
    await context.err.write(`The run “${run}” is in the history as ${runId}: holdfast show ${runId}\n`);
  });
}

function parseDays(text: string): number {
  const days = Number(text);
  if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS)
    throw new InvalidArgumentError(`Enter a number of days, from 1 to ${MAX_DAYS}.`);
  return days;
}

function incompleteImport(): HoldfastError {
  return new HoldfastError({
    code: 'K6_IMPORT',
    message: 'To import a run of k6, give its name and the plan that it was exported from.',
    hint: 'holdfast import k6-prometheus http://prometheus:9090 --run NAME --plan plan.yaml',
  });
}
