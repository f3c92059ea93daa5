import { SAFE_METHODS } from '#core/plan/requests.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Step } from '#core/plan/schema/step.ts';
import { graphqlOperation } from './graphql.ts';
import { namesOfStep } from './walked.ts';

const PASSWORD_NAME_PATTERN = /pass(?:word|wd|wort|code|phrase)|^pass$|pwd|kennwort|contrase|senha/i;
/** Matches addresses of logins, logouts and tokens. */
const SESSION_PATH_PATTERN = /(?:^|[/_.-])(?:log|sign)[-_]?(?:in|out|on|off)(?![a-z])|\/(?:token|auth|authenticate)\/?$/i;

/**
 * Returns whether a step logs in: it sends a password in a field named like one, or from a secret or a secret feed column. A form with an
 * empty or a repeated password edits or creates an account.
 */
export function isLogin(step: Step, { variables }: Pick<Plan, 'variables'>): boolean {
  const { multipart } = step;
  // A step that uploads files is no login, although some servers require the password with every file.
  if (SAFE_METHODS.has(step.method) || multipart?.some((part) => !('value' in part)) === true) return false;
  const passwords = listFields(step).flatMap(([name, value]) => (PASSWORD_NAME_PATTERN.test(name) ? [value] : []));
  if (passwords.length > 0) return !passwords.includes('') && new Set(passwords).size === passwords.length;
  const secrets = new Set(Object.entries(variables ?? {}).flatMap(([name, { kind }]) => (kind === 'secret' ? [name] : [])));
  return namesOfStep(step).some((name) => secrets.has(name) || PASSWORD_NAME_PATTERN.test(name.split('.').at(1) ?? ''));
}

/** Returns the fields that a step sends in its form or at the top of its JSON, with their values. */
function listFields({ form, multipart, json }: Step): [string, unknown][] {
  return [
    ...Object.entries(form ?? {}),
    ...(multipart ?? []).map((part): [string, unknown] => [part.name, 'value' in part ? part.value : null]),
    ...Object.entries(typeof json === 'object' && json !== null ? json : {}),
  ];
}

/**
 * Returns whether the server stores what the step sends. The plan's `stores` decides. Without it, this is true if the plan counts the items
 * or reads them back, and for POST, PUT, PATCH and DELETE. It is false for logins, logouts and GraphQL queries.
 */
export function storesValue(step: Step, plan: Pick<Plan, 'variables' | 'journey' | 'stored' | 'watch'>): boolean {
  if (step.stores !== undefined) return step.stores;
  if (isVerified(step, plan)) return true;
  if (graphqlOperation(step) === 'query') return false;
  return step.measured !== false && !SAFE_METHODS.has(step.method) && !isLogin(step, plan) && !SESSION_PATH_PATTERN.test(step.path);
}

function isVerified({ name }: Step, { journey, stored = [], watch = [] }: Pick<Plan, 'journey' | 'stored' | 'watch'>): boolean {
  return (
    journey.some(({ confirms }) => confirms?.includes(name) === true) ||
    stored.some(({ step, counts }) => step === name && counts !== 'unfinished') ||
    watch.some(({ counts }) => counts === name)
  );
}
