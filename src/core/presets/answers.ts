import type { z } from 'zod';
import { getOwn } from '#core/base/ownMembers.ts';
import { secretSchema, postgresUrlSchema } from '../plan/schema/url.ts';
import { formatNumber } from '#core/base/units.ts';
import { didYouMean, type Issue } from '../plan/issues.ts';
import { listAskedQuestions, normalizeChoice, type Choices, formatCondition } from './conditions.ts';
import { parsePages, pagesProblem } from './pageList.ts';
import type { Answers, Preset, Question } from './schema.ts';
import { REFERENCE_FORMS } from '#core/plan/secretReference.ts';

/** Maximum length of an answer to a question, in characters. */
const MAX_TEXT = 2_000;

interface ReadAnswers {
  /** Values of all questions with a valid answer. Questions that do not apply have their default, so that formulas can use them. */
  readonly values: Map<string, number | string>;
  /** Values of the choices that apply. */
  readonly choices: Choices;
  readonly issues: Issue[];
}

type AnswerResult = { readonly value: number | string } | { readonly problem: { code: string; message: string; hint: string } };

/**
 * Returns the value of each question: its answer, or its default. Text answers, from a command line, are parsed as numbers where numbers
 * are needed. Invalid answers become issues and have no value.
 */
export function readAnswers(preset: Preset, answers: Answers): ReadAnswers {
  const values = new Map<string, number | string>();
  const choices = new Map<string, number | string>();
  const issues: Issue[] = [];
  const asked = new Set(listAskedQuestions(preset, answers));
  const questionIds = preset.questions.map((question) => question.id);
  for (const id of Object.keys(answers)) {
    if (!questionIds.includes(id)) {
      issues.push({
        level: 'error',
        code: 'UNKNOWN_ANSWER',
        path: `answers.${id}`,
        message: unknownQuestionMessage(id),
        hint: didYouMean(id, questionIds),
      });
    }
  }
  for (const question of preset.questions) {
    const entry = getOwn(answers, question.id);
    if (!asked.has(question)) {
      values.set(question.id, question.default);
      if (entry !== undefined) issues.push(notAskedIssue(question));
      continue;
    }
    const judged = entry === undefined ? { value: question.default } : judge(question, entry);
    if (question.kind === 'text' && question.find !== undefined && 'value' in judged && judged.value === '')
      issues.push(notFoundIssue(question));
    else if ('value' in judged) {
      values.set(question.id, judged.value);
      const chosen = normalizeChoice(question, judged.value);
      if (chosen !== null) choices.set(question.id, chosen);
    } else issues.push({ level: 'error', path: `answers.${question.id}`, ...judged.problem });
  }
  return { values, choices, issues };
}

function notFoundIssue({ id, label }: Question): Issue {
  return {
    level: 'error',
    code: 'NOT_FOUND_YET',
    path: `answers.${id}`,
    message: `“${label}” is empty.`,
    hint: 'Holdfast finds it on the first page after the login. Enter a user name and password, or its path: the part of the address after the host.',
  };
}

function notAskedIssue(question: Question): Issue {
  return {
    level: 'error',
    code: 'NOT_ASKED',
    path: `answers.${question.id}`,
    message: `“${question.label}” is not used here and would change nothing.`,
    hint: `Remove it. It is used ${formatCondition(question.when)}.`,
  };
}

/** Validates the answer to a question and returns its value. */
export function judge(question: Question, entry: string | number | boolean): AnswerResult {
  switch (question.kind) {
    case 'number':
      return judgeNumber(question, entry);
    case 'choice': {
      const option = question.options.find(({ value }) => value === entry || String(value) === String(entry).trim());
      if (option) return { value: option.value };
      const optionValues = question.options.map(({ value }) => String(value));
      return problem(
        'NOT_ONE_OF',
        `“${question.label}” cannot be “${String(entry).slice(0, 40)}”.`,
        didYouMean(String(entry), optionValues),
      );
    }
    case 'text': {
      const text = String(entry).trim();
      if (text.length <= MAX_TEXT) return { value: text };
      return problem('TOO_LARGE', `“${question.label}” is too long.`, `Use at most ${MAX_TEXT} characters.`);
    }
    case 'pages': {
      const text = String(entry);
      const wrong = pagesProblem(text);
      if (wrong === null) return { value: parsePages(text).join('\n') };
      return problem('NO_PAGES', `“${question.label}” ${wrong.message}.`, wrong.hint);
    }
    case 'secret': {
      const reference = secretSchema.shape.secret.safeParse(String(entry).trim());
      if (reference.success) return { value: reference.data };
      return problem(
        'NOT_A_REFERENCE',
        `“${question.label}” is a secret, and secrets are not entered here.`,
        `Enter where to find it: ${REFERENCE_FORMS}.`,
      );
    }
    case 'database': {
      const text = String(entry).trim();
      if (text === '' || readDatabase(text) !== null) return { value: text };
      return problem(
        'NOT_A_DATABASE',
        `“${question.label}” needs a PostgreSQL address.`,
        `Enter postgres://user:password@host:port/database, or where to find it: ${REFERENCE_FORMS}.`,
      );
    }
    default:
      return question satisfies never;
  }
}

/** Parses a database address, or a reference to one; returns null for other text. */
export function readDatabase(text: string): z.output<typeof postgresUrlSchema> | null {
  const reference = secretSchema.safeParse({ secret: text });
  return reference.data ?? postgresUrlSchema.safeParse(text).data ?? null;
}

function judgeNumber(question: Extract<Question, { kind: 'number' }>, entry: string | number | boolean): AnswerResult {
  const value = typeof entry === 'string' && entry.trim() !== '' ? Number(entry) : entry;
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    return problem('WRONG_TYPE', `“${question.label}” needs a number, not “${String(entry).slice(0, 40)}”.`, range(question));
  }
  if (value < question.min) return problem('TOO_SMALL', `${formatNumber(value)} is too small for “${question.label}”.`, range(question));
  if (value > question.max) return problem('TOO_LARGE', `${formatNumber(value)} is too large for “${question.label}”.`, range(question));
  if (question.whole && !Number.isInteger(value)) {
    return problem('NOT_WHOLE', `“${question.label}” needs a whole number, not ${formatNumber(value)}.`, range(question));
  }
  return { value };
}

function range({ min, max, whole, unit }: Extract<Question, { kind: 'number' }>): string {
  const bounds = `from ${min.toLocaleString('en-US')} to ${max.toLocaleString('en-US')}${unit === '' ? '' : ` ${unit}`}`;
  return `Use a ${whole ? 'whole number' : 'number'} ${bounds}.`;
}

function problem(code: string, message: string, hint: string): AnswerResult {
  return { problem: { code, message, hint } };
}

export function unknownQuestionMessage(id: string): string {
  return `This preset has no question “${id}”.`;
}
