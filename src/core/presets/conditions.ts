import { getOwn } from '#core/base/ownMembers.ts';
import { quote } from '#core/base/text.ts';
import { didYouMean } from '../plan/issues.ts';
import { FormulaError } from './expression.ts';
import { type Answers, type Condition, conditionSchema, type Preset, type Question } from './schema.ts';

/** Selected options of the questions that apply. A question that does not apply satisfies no condition. */
export type Choices = ReadonlyMap<string, number | string>;

/** Returns the values that conditions can compare: the options of a choice, or whether there is a database; null for other questions. */
export function listOfferedValues(question: Question): readonly (string | number)[] | null {
  if (question.kind === 'choice') return question.options.map(({ value }) => value);
  return question.kind === 'database' ? DATABASE_CHOICES : null;
}

const DATABASE_CHOICES = ['given', 'none'] as const;

/** Returns the value that an answer has in conditions; null for other questions. */
export function normalizeChoice({ kind }: Question, value: string | number | boolean): string | number | null {
  if (kind === 'database') return value === '' ? 'none' : 'given';
  return kind === 'choice' && typeof value !== 'boolean' ? value : null;
}

/** Returns whether a condition is true. An omitted condition always is. */
export function isFulfilled(condition: Condition | undefined, choices: Choices): boolean {
  return Object.entries(condition ?? {}).every(([id, wanted]) => {
    const choiceOfQuestion = choices.get(id);
    return choiceOfQuestion !== undefined && listWantedValues(wanted).includes(choiceOfQuestion);
  });
}

function listWantedValues(wanted: Condition[string]): readonly (string | number)[] {
  return Array.isArray(wanted) ? wanted : [wanted];
}

/** Returns the reason why a condition can never be true; null if it can. `questions`: the questions to which it may refer. */
export function conditionProblem(condition: Condition, questions: readonly Question[]): { message: string; hint: string } | null {
  for (const [id, wanted] of Object.entries(condition)) {
    const question = questions.find((one) => one.id === id);
    const offered = question === undefined ? null : listOfferedValues(question);
    if (offered === null) {
      const choices = questions.flatMap((one) => (listOfferedValues(one) === null ? [] : [one.id]));
      return { message: `“when” names “${id}”, which is not an earlier choice.`, hint: didYouMean(id, choices) };
    }
    const unknown = listWantedValues(wanted).find((value) => !offered.includes(value));
    if (unknown !== undefined) {
      const hint = didYouMean(String(unknown), offered.map(String));
      return { message: `“when” needs “${id}” to be ${quote(String(unknown))}, which is not one of its options.`, hint };
    }
  }
  return null;
}

/** Parses the `when` of a template with {@link conditionSchema}. Throws a {@link FormulaError}. */
export function readCondition(written: unknown, questions: readonly Question[]): Condition {
  const parsed = conditionSchema.safeParse(written);
  if (!parsed.success) throw new FormulaError('“when” names a choice and its value, for example when: { test: spike }');
  const problem = conditionProblem(parsed.data, questions);
  if (problem) throw new FormulaError(`${problem.message} ${problem.hint}`.trim());
  return parsed.data;
}

/** Returns the questions that apply, in order; questions without an answer use their default. */
export function listAskedQuestions(preset: Preset, answers: Answers): Question[] {
  const choices = new Map<string, number | string>();
  return preset.questions.filter((question) => {
    if (!isFulfilled(question.when, choices)) return false;
    const chosen = normalizeChoice(
      question,
      question.kind === 'choice' ? chosenValue(question, answers) : (getOwn(answers, question.id) ?? question.default),
    );
    if (chosen !== null) choices.set(question.id, chosen);
    return true;
  });
}

/** Returns the chosen option, which the command line gives as text. */
function chosenValue(question: Extract<Question, { kind: 'choice' }>, answers: Answers): number | string {
  const ownAnswer = getOwn(answers, question.id);
  if (ownAnswer === undefined) return question.default;
  return question.options.find(({ value }) => String(value) === String(ownAnswer).trim())?.value ?? question.default;
}

/** Returns text such as "when “test” is spike or bursts"; empty if there is no condition. */
export function formatCondition(condition: Condition | undefined): string {
  const parts = Object.entries(condition ?? {}).map(([id, wanted]) => `“${id}” is ${listWantedValues(wanted).join(' or ')}`);
  return parts.length === 0 ? '' : `when ${parts.join(' and ')}`;
}
