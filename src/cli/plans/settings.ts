import { setOwn } from '#core/base/ownMembers.ts';
import { quote } from '#core/base/text.ts';
import { error, type Issue } from '#core/plan/issues.ts';
import { planFields } from '#core/plan/schema/plan.ts';
import { targetNameSchema } from '#core/plan/schema/step.ts';
import type { Answers, Question } from '#core/presets/schema.ts';

/** Values of the `--set` options, by purpose. */
export interface Settings {
  readonly targets: readonly string[];
  /** Addresses of targets to which steps refer, by name: `target.api=URL`. */
  readonly namedTargets: ReadonlyMap<string, string>;
  /** New addresses of the plan's targets, in order, if a server redirects visitors to https. */
  readonly movedTo?: readonly string[];
  readonly cookies: readonly string[];
  readonly headers: readonly string[];
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** Address of the login page, if the login page is not the target. */
  readonly loginAt: string | undefined;
  readonly answers: Answers;
  /** Plan fields by path (`load.stages[0].seconds`), with the values as the user typed them. */
  readonly fields: ReadonlyMap<string, string>;
}

/** Settings that every preset and plan has. */
export const COMMON_SETTINGS = ['target', 'cookie', 'header', 'username', 'password', 'loginAt'] as const;

const PLAN_FIELDS: readonly string[] = Object.keys(planFields);

/**
 * Reads `key=value` options for a preset with these questions, or for a plan file, which has no questions. Never throws: every problem is
 * listed.
 */
export function readSettings(options: readonly string[], questions: readonly Question[]): { settings: Settings; issues: Issue[] } {
  const issues: Issue[] = [];
  const lists = { target: [] as string[], cookie: [] as string[], header: [] as string[] };
  const login: { username?: string; password?: string; loginAt?: string } = {};
  const answers: Answers = {};
  const fields = new Map<string, string>();
  const namedTargets = new Map<string, string>();
  for (const option of options) {
    const split = option.indexOf('=');
    const key = option.slice(0, split).trim();
    const value = option.slice(split + 1).trim();
    const question = questions.find(({ id }) => id === key);
    if (split < 1) issues.push(notAPairIssue(option));
    else if (question) {
      const answer = readAnswer(question, value);
      if (answer.issue) issues.push(answer.issue);
      else setOwn(answers, key, answer.value);
    } else if (key.startsWith('target.') && targetNameSchema.safeParse(key.slice(7)).success) namedTargets.set(key.slice(7), value);
    else if (key === 'target') lists.target.push(...value.split(/,\s*(?=https?:\/\/)/i));
    else if (key === 'cookie' || key === 'header') lists[key].push(value);
    else if (key === 'username' || key === 'password' || key === 'loginAt') login[key] = value;
    else if (PLAN_FIELDS.includes(/^[^.[]*/.exec(key)?.[0] ?? '')) fields.set(key, value);
    else issues.push(unknownKey(key, questions));
  }
  if ((login.username === undefined) !== (login.password === undefined)) issues.push(incompleteLogin(login.username === undefined));
  const settings: Settings = {
    targets: lists.target,
    namedTargets,
    cookies: lists.cookie,
    headers: lists.header,
    username: login.username,
    password: login.password,
    loginAt: login.loginAt,
    answers,
    fields,
  };
  return { settings, issues };
}

type Answer = { readonly value: string | number; readonly issue?: undefined } | { readonly value?: undefined; readonly issue: Issue };

function readAnswer(question: Question, text: string): Answer {
  switch (question.kind) {
    case 'text':
    case 'pages':
    case 'secret':
    case 'database':
      return { value: text };
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(text)
        ? { value: Number(text) }
        : { issue: badAnswer(question, text, `Enter a number from ${question.min} to ${question.max}, without a unit.`) };
    case 'choice': {
      const option = question.options.find(({ value }) => String(value) === text);
      const optionsText = question.options.map(({ value, label }) => `${value} (${label})`).join(', ');
      return option ? { value: option.value } : { issue: badAnswer(question, text, `Choose one of: ${optionsText}.`) };
    }
    default:
      return question satisfies never;
  }
}

function notAPairIssue(option: string): Issue {
  return error(
    'BAD_SETTING',
    '--set',
    `${quote(option)} does not have the form key=value.`,
    'For example: --set target=http://127.0.0.1:8080/',
  );
}

function badAnswer(question: Question, text: string, hint: string): Issue {
  return error('BAD_ANSWER', question.id, `The question “${question.label}” does not accept the answer ${quote(text)}.`, hint);
}

function unknownKey(key: string, questions: readonly Question[]): Issue {
  const settingsText = [...COMMON_SETTINGS, ...questions.map(({ id }) => id)].join(', ');
  return error(
    'UNKNOWN_SETTING',
    key,
    'There is no such setting.',
    `There are: ${settingsText}, and the fields of a plan (for example threads).`,
  );
}

function incompleteLogin(nameIsMissing: boolean): Issue {
  const [missing, given] = nameIsMissing ? ['username', 'password'] : ['password', 'username'];
  return error(
    'HALF_A_LOGIN',
    missing,
    `The ${missing} is missing beside the ${given}.`,
    `Add --set ${missing}=… (a password may be @file, env:NAME or ask:Password).`,
  );
}
