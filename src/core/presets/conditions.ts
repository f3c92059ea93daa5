import { getOwn } from '../ownMembers.ts';
import { didYouMean } from '../plan/suggest.ts';
import { FormulaError } from './expression.ts';
import { conditionSchema, type Answers, type Condition, type Preset, type Question } from './schema.ts';

/** The answers of the choices that are asked. One that is not asked fulfils no condition. */
export type Choices = ReadonlyMap<string, number | string>;

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
    if (question?.kind !== 'choice') {
      const choices = questions.flatMap((one) => (one.kind === 'choice' ? [one.id] : []));
      return { message: `“when” speaks of “${id}”, which is no choice that is asked before it.`, hint: didYouMean(id, choices) };
    }
    const offered = question.options.map(({ value }) => value);
    const unknown = wantedValues(wanted).find((value) => !offered.includes(value));
    if (unknown !== undefined) {
      const hint = didYouMean(String(unknown), offered.map(String));
      return { message: `“when” waits for “${id}” to be ${JSON.stringify(unknown)}, which is none of its options.`, hint };
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
    if (question.kind === 'choice') choices.set(question.id, chosenValue(question, answers));
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
