import type { Answers, Preset, Question } from '#core/presets/schema.ts';
import { formatCount } from '#core/units.ts';
import { words } from '#ui/words/words.ts';
import type { NumberEntry } from './types.ts';

/** What the page shows for a question: what was entered, else the preset's default. */
export function answerOf(question: Question, answers: Readonly<Record<string, NumberEntry>>): NumberEntry {
  return answers[question.id] ?? question.default;
}

/** Why the answer cannot be used; null when it can. Only the form of numbers: the backend judges the rest. */
export function answerProblem(question: Question, answer: NumberEntry): string | null {
  if (question.kind !== 'number') return null;
  const say = words.wizard.load;
  if (typeof answer !== 'number') return say.numberMissing;
  if (question.whole && !Number.isInteger(answer)) return say.numberWhole;
  if (answer < question.min || answer > question.max) return say.numberRange(formatCount(question.min), formatCount(question.max));
  return null;
}

/** Answers of all questions for `presets.build`; null while one of them cannot be used. */
export function answersFor(preset: Preset, answers: Readonly<Record<string, NumberEntry>>): Answers | null {
  const given = preset.questions.map((question) => [question, answerOf(question, answers)] as const);
  if (given.some(([question, answer]) => answerProblem(question, answer) !== null)) return null;
  return Object.fromEntries(given.map(([question, answer]) => [question.id, answer]));
}
