import { getOwn } from '#core/base/ownMembers.ts';
import { quoted } from '#core/base/text.ts';
import { didYouMean } from '../plan/issues.ts';
import { FormulaError } from './expression.ts';
import { type Answers, type Condition, conditionSchema, type Preset, type Question } from './schema.ts';

/** The answers of the choices that are asked. One that is not asked fulfils no condition. */
export type Choices = ReadonlyMap<string, number | string>;

/** What conditions ask of a question: its options, or whether there is a database. null for others, of which they ask nothing. */
export function offeredBy(question: Question): readonly (string | number)[] | null {
  if (question.kind === 'choice') return question.options.map(({ value }) => value);
  return question.kind === 'database' ? DATABASE_CHOICES : null;
}

const DATABASE_CHOICES = ['given', 'none'] as const;

/** What an answer means for conditions; null for questions that they do not ask about. */
export function choiceOf({ kind }: Question, value: string | number | boolean): string | number | null {
  if (kind === 'database') return value === '' ? 'none' : 'given';
  return kind === 'choice' && typeof value !== 'boolean' ? value : null;
}

/** Whether a condition is fulfilled; none at all always is. */
export function holds(condition: Condition | undefined, choices: Choices): boolean {
  return Object.entries(condition ?? {}).every(([id, wanted]) => {
    const given = choices.get(id);
    return given !== undefined && wantedValues(wanted).includes(given);
  });
}

function wantedValues(wanted: Condition[string]): readonly (string | number)[] {
  return Array.isArray(wanted) ? wanted : [wanted];
}

/** Why no answer could ever fulfil a condition, in words; null when one could. `questions` are those it may ask about. */
export function conditionProblem(condition: Condition, questions: readonly Question[]): { message: string; hint: string } | null {
  for (const [id, wanted] of Object.entries(condition)) {
    const question = questions.find((one) => one.id === id);
    const offered = question === undefined ? null : offeredBy(question);
    if (offered === null) {
      const choices = questions.flatMap((one) => (offeredBy(one) === null ? [] : [one.id]));
      return { message: `“when” names “${id}”, which is not an earlier choice.`, hint: didYouMean(id, choices) };
    }
    const unknown = wantedValues(wanted).find((value) => !offered.includes(value));
    if (unknown !== undefined) {
      const hint = didYouMean(String(unknown), offered.map(String));
      return { message: `“when” needs “${id}” to be ${quoted(String(unknown))}, which is not one of its options.`, hint };
    }
  }
  return null;
}

/** {@link conditionSchema} of what stands behind `when` in a template. Throws a {@link FormulaError}. */
export function readCondition(written: unknown, questions: readonly Question[]): Condition {
  const parsed = conditionSchema.safeParse(written);
  if (!parsed.success) throw new FormulaError('“when” names a choice and its value, for example when: { test: spike }');
  const problem = conditionProblem(parsed.data, questions);
  if (problem) throw new FormulaError(`${problem.message} ${problem.hint}`.trim());
  return parsed.data;
}

/** The questions that apply, in their order, given these answers; questions without one have their default. */
export function askedQuestions(preset: Preset, answers: Answers): Question[] {
  const choices = new Map<string, number | string>();
  return preset.questions.filter((question) => {
    if (!holds(question.when, choices)) return false;
    const chosen = choiceOf(
      question,
      question.kind === 'choice' ? chosenValue(question, answers) : (getOwn(answers, question.id) ?? question.default),
    );
    if (chosen !== null) choices.set(question.id, chosen);
    return true;
  });
}

/** Answers of a command line are texts: the option that reads the same is meant. */
function chosenValue(question: Extract<Question, { kind: 'choice' }>, answers: Answers): number | string {
  const given = getOwn(answers, question.id);
  if (given === undefined) return question.default;
  return question.options.find(({ value }) => String(value) === String(given).trim())?.value ?? question.default;
}

/** "when “test” is spike or bursts"; empty for no condition. */
export function conditionWords(condition: Condition | undefined): string {
  const parts = Object.entries(condition ?? {}).map(([id, wanted]) => `“${id}” is ${wantedValues(wanted).join(' or ')}`);
  return parts.length === 0 ? '' : `when ${parts.join(' and ')}`;
}
