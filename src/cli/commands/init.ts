import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { stringify } from 'yaml';
import { HoldfastError } from '#core/base/errors.ts';
import { buildPlanJsonSchema } from '#core/plan/jsonSchema.ts';
import { parseValue } from '#core/review/check.ts';
import { jsonText, requireNewFile, writeNewFile } from '../output/jsonFile.ts';
import { invalidPlan, printIssues } from '../output/problems.ts';
import type { AddCommand, CliContext } from '../context.ts';

const DEFAULT_FILE = 'load/plan.yaml';
const SCHEMA_FILE = 'plan.schema.json';

interface InitFlags {
  readonly out: string;
  readonly target?: string;
  readonly users?: string;
  readonly within?: string;
}

/** A question with the option that answers it beforehand. */
interface Question {
  readonly option: 'target' | 'users' | 'within';
  readonly text: string;
  readonly usual: string;
}

const QUESTIONS: readonly Question[] = [
  { option: 'target', text: 'Address of the page or API', usual: 'http://127.0.0.1:8080/' },
  { option: 'users', text: 'Users at the same time', usual: '20' },
  { option: 'within', text: 'Milliseconds within which 95 % of the responses must arrive', usual: '1000' },
];

export const addInit: AddCommand = (program, { context }) => {
  program
    .command('init')
    .description('write a first plan for a repository, with a JSON Schema for editors: three questions, or three options')
    .option('--out <file>', 'file of the plan', DEFAULT_FILE)
    .option('--target <url>', 'address of the page or API')
    .option('--users <n>', 'users at the same time')
    .option('--within <ms>', 'milliseconds within which 95 % of the responses must arrive')
    .action(async (flags: InitFlags) => {
      const file = resolve(context.currentDirectory, flags.out);
      await requireNewFile(file, 'PLAN_FILE');
      const answers = new Map<Question['option'], string>();
      for (const question of QUESTIONS) answers.set(question.option, flags[question.option] ?? (await ask(question, context)));
      const text = planText(answers);
      await requireValid(text.written, context);
      await mkdir(dirname(file), { recursive: true });
      await writeNewFile(file, text.source, { code: 'PLAN_FILE' });
      const schema = join(dirname(file), SCHEMA_FILE);
      // A schema that another version wrote is kept, because editors can still use it for completion.
      await writeNewFile(schema, jsonText(buildPlanJsonSchema()), { code: 'PLAN_FILE' }).catch(() => undefined);
      await context.out.write(`${flags.out} written. Try it once: holdfast try ${flags.out}. Then: holdfast run ${flags.out}\n`);
    });
};

async function ask({ text, usual, option }: Question, { askLine }: CliContext): Promise<string> {
  const line = await askLine(`${text} (${usual}): `);
  if (line === null)
    throw new HoldfastError({
      code: 'NO_TERMINAL',
      message: `There is no terminal to ask on for the ${option === 'target' ? 'address' : option}.`,
      hint: `Give the options: ${QUESTIONS.map((question) => `--${question.option} ${question.usual}`).join(' ')}`,
    });
  return line.trim() === '' ? usual : line.trim();
}

const STAGE_SECONDS = 30;

/** Builds the plan. Texts that are not numbers are kept, so that the check of the plan explains them. */
function planText(answers: ReadonlyMap<Question['option'], string>): { readonly written: object; readonly source: string } {
  const url = answers.get('target') ?? '';
  const users = toNumber(answers.get('users'));
  const written = {
    holdfast: 1,
    name: `Load test of ${URL.canParse(url) ? new URL(url).host : url}`.slice(0, 120),
    targets: [{ url }],
    journey: [{ name: 'page' }],
    load: { model: 'users', thinkTime: { kind: 'fixed', seconds: 1 }, stages: [{ users, seconds: STAGE_SECONDS }] },
    criteria: [
      { kind: 'responseTime', percentile: 95, maxMs: toNumber(answers.get('within')) },
      { kind: 'errors', maxShare: 0.01 },
    ],
  };
  return { written, source: `# yaml-language-server: $schema=./${SCHEMA_FILE}\n${stringify(written)}` };
}

function toNumber(text = ''): number | string {
  const number = Number(text);
  return Number.isFinite(number) && text.trim() !== '' ? number : text;
}

async function requireValid(written: unknown, { err }: CliContext): Promise<void> {
  const { issues } = parseValue(written);
  const errors = issues.filter(({ level }) => level === 'error');
  if (errors.length === 0) return;
  await printIssues(err, errors);
  throw invalidPlan(errors);
}
