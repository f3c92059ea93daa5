import { dirname, join, resolve } from 'node:path';
import { mkdir } from 'node:fs/promises';
import { Argument, InvalidArgumentError, Option, type Command } from 'commander';
import { stringify } from 'yaml';
import { z } from 'zod';
import { joinNames } from '#core/plan/hosts/generatorNames.ts';
import { EXPORT_KINDS, type PlanExport, type ExportKind, hindrance, type ExportResult, type ExportSources } from '#core/export/exported.ts';
import { readExportSources } from '#backend/services/runs/readFiles.ts';
import { exportPlan } from '#core/export/exportPlan.ts';
import { type Ask, listAsks } from '#core/review/asks/ask.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { k6Script } from '#core/export/k6/k6Script.ts';
import { operatorManifests } from '#core/export/k6Operator/manifests.ts';
import { objectNameSchema, quantitySchema } from '#core/export/k6Operator/schema.ts';
import type { CliContext, AddCommand } from '../context.ts';
import { writeNewFile } from '../output/jsonFile.ts';
import { invalidPlan } from '../output/problems.ts';
import { resolvePlanFiles } from '../plans/fromFile.ts';
import { planFrom, requirePlan } from '../plans/fromPreset.ts';
import { readSettings } from '../plans/settings.ts';
import { addAllowOption, type AllowFlags, Consent } from '../input/consent.ts';
import { findPlanSource, readGivenSettings, listQuestions } from '../plans/source.ts';
import { collect } from '../input/optionReader.ts';
import { answersOption } from './loadOptions.ts';

/** Formats the differences from the plan, and what must be set before the script runs. */
function exportedText(
  { files, environment, notes }: PlanExport,
  { isWritten, hasSeries }: { readonly isWritten: boolean; readonly hasSeries: boolean },
): string {
  const beside = joinNames(files.map(({ path }) => path));
  return [
    ...notes.map((note) => `note: ${note}\n`),
    hasSeries ? 'note: The preset makes a series of runs. This is the plan that they share.\n' : '',
    environment.length === 0 ? '' : `Before it is run, set ${joinNames(environment)}.\n`,
    files.length === 0
      ? ''
      : isWritten
        ? `Beside it: ${beside}.\n`
        : `It also needs ${beside}. Name a file instead of - to write them, too.\n`,
  ].join('');
}

interface ExportFlags extends OperatorFlags, AllowFlags {
  readonly set: string[];
  readonly answers?: string;
}

const FILE_RULES = { code: 'EXPORT_FILE' };

export const addExport: AddCommand = (program, { context }) => {
  const command = program
    .command('export')
    .description('export a plan or a preset for another tool; no secret is written')
    .addArgument(new Argument('<kind>', 'the tool').choices([...EXPORT_KINDS, K6_OPERATOR]))
    .argument('<preset or file>', 'id of a preset or a plan in YAML or JSON')
    .argument('[file]', 'a new file; other files that it needs are written beside it. Default: standard output', '-')
    .option(
      '--set <key=value>',
      'as for run: an answer to a preset’s question or a field of the plan; target=URL names the server',
      collect,
      [],
    )
    .addOption(answersOption());
  addAllowOption(addOperatorOptions(command)).action(
    async (kind: ExportKind | typeof K6_OPERATOR, name: string, file: string, flags: ExportFlags) => {
      const source = await findPlanSource(name, context);
      const { settings, issues } = readSettings(await readGivenSettings(source, flags, context), listQuestions(source));
      const read = planFrom(source, settings);
      const plan = resolvePlanFiles(requirePlan(read.plan, [...issues, ...read.issues]), source, context);
      await new Consent(flags.allow, context, source).agreeToAsks(listAsks({ plan }).filter(isIncluded));
      const sources = await readExportSources(plan);
      const result = kind === K6_OPERATOR ? operatorResult(plan, sources, flags) : exportPlan(kind, plan, sources);
      if (result.kind === 'refused') throw invalidPlan(result.issues);
      if (result.kind === 'manifests') return writeOperator(result, file, context);
      const isWritten = file !== '-';
      if (isWritten) await writeAll(result.exported, resolve(context.currentDirectory, file));
      else await context.out.writeFile(result.exported.text);
      await context.err.write(exportedText(result.exported, { isWritten, hasSeries: read.series !== null }));
    },
  );
};

/** Returns whether the export contains the content of a file. Files with secrets are omitted. */
function isIncluded({ kind, uses }: Ask): boolean {
  return kind === 'file' && uses.some(({ path }) => !path.endsWith('.secret'));
}

/** Writes the manifests. Only the user may read the file, because manifests contain the rows of feeds. */
async function writeOperator({ text, notes }: OperatorManifests, file: string, context: CliContext): Promise<void> {
  if (file === '-') await context.out.writeFile(text);
  else await writeNewFile(resolve(context.currentDirectory, file), text, { ...FILE_RULES, mode: 0o600 });
  await context.err.write(notes.map((note) => `note: ${note}\n`).join(''));
}

/** Writes the script and its data files. Only the user may read the data files, because they may contain passwords. */
async function writeAll({ text, files }: PlanExport, file: string): Promise<void> {
  await writeNewFile(file, text, FILE_RULES);
  for (const { path, content, encoding } of files) {
    const place = join(dirname(file), path);
    await mkdir(dirname(place), { recursive: true });
    await writeNewFile(place, encoding === 'utf8' ? content : Buffer.from(content, 'base64'), { ...FILE_RULES, mode: 0o600 });
  }
}

/** Export kind that writes Kubernetes manifests instead of a script. */
const K6_OPERATOR = 'k6-operator';

interface OperatorFlags {
  readonly run?: string;
  readonly parallelism: number;
  readonly prometheus?: string;
  readonly namespace?: string;
  readonly image: string;
  readonly cpu: string;
  readonly memory: string;
  readonly separate?: boolean;
}

/** Container image with the newest k6 version whose output Holdfast can read. */
const IMAGE = 'grafana/k6:1.8.1';
const LINE_WIDTH = 0;

function addOperatorOptions(command: Command): Command {
  const operatorHelp = (text: string): string => `of ${K6_OPERATOR}: ${text}`;
  return command
    .addOption(
      new Option('--run <name>', operatorHelp('name of the TestRun, to find the run later')).argParser(parseWith(objectNameSchema)),
    )
    .addOption(
      new Option('--parallelism <runners>', operatorHelp('number of runners that share the load')).default(1).argParser(parseRunners),
    )
    .addOption(
      new Option('--prometheus <url>', operatorHelp('address to which runners write: …/api/v1/write')).argParser(
        parseWith(z.url({ protocol: /^https?$/ })),
      ),
    )
    .addOption(new Option('--namespace <name>', operatorHelp('namespace of the run')).argParser(parseWith(objectNameSchema)))
    .addOption(new Option('--image <image>', operatorHelp('image of the runners')).default(IMAGE))
    .addOption(
      new Option('--cpu <quantity>', operatorHelp('processor request of each runner')).default('1').argParser(parseWith(quantitySchema)),
    )
    .addOption(
      new Option('--memory <quantity>', operatorHelp('memory request and limit of each runner'))
        .default('1Gi')
        .argParser(parseWith(quantitySchema)),
    )
    .option('--separate', operatorHelp('run each runner on its own node'));
}

/** The manifests as one YAML document, and notes about them. */
interface OperatorManifests {
  readonly kind: 'manifests';
  readonly text: string;
  readonly notes: readonly string[];
}

type RefusedExport = Extract<ExportResult, { kind: 'refused' }>;

/** Returns the manifests, or the reasons why k6 or its operator cannot run the plan. Throws `OPERATOR_RUN`. */
function operatorResult(plan: Plan, sources: ExportSources, flags: OperatorFlags): OperatorManifests | RefusedExport {
  try {
    return getManifests(plan, sources, flags);
  } catch (thrown) {
    if (!(thrown instanceof HoldfastError) || !UNSUPPORTED_CODES.has(thrown.code)) throw thrown;
    return { kind: 'refused', issues: [hindrance('', thrown.message, thrown.hint)] };
  }
}

const UNSUPPORTED_CODES: ReadonlySet<string> = new Set(['NOT_IN_K6', 'NOT_IN_OPERATOR']);

function getManifests(plan: Plan, sources: ExportSources, flags: OperatorFlags): OperatorManifests {
  if (flags.run === undefined)
    throw new HoldfastError({
      code: 'OPERATOR_RUN',
      message: 'A TestRun needs a name, to find its run in Prometheus.',
      hint: 'Add --run NAME: small letters, digits and -. Choose another for each run.',
    });
  const { documents, notes } = operatorManifests(plan, k6Script(plan, sources), {
    name: flags.run,
    namespace: flags.namespace,
    parallelism: flags.parallelism,
    cpu: flags.cpu,
    memory: flags.memory,
    image: flags.image,
    prometheusUrl: flags.prometheus ?? null,
    separate: flags.separate === true,
  });
  return { kind: 'manifests', text: documents.map((document) => stringify(document, { lineWidth: LINE_WIDTH })).join('---\n'), notes };
}

function parseWith(schema: z.ZodType<string>): (text: string) => string {
  return (text) => {
    const parsed = schema.safeParse(text);
    if (!parsed.success) throw new InvalidArgumentError(parsed.error.issues[0]?.message ?? '');
    return parsed.data;
  };
}

function parseRunners(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 1_000) throw new InvalidArgumentError('Enter a number of runners, from 1 to 1000.');
  return count;
}
