import { SAFE_METHODS } from '#core/plan/requests.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Step } from '#core/plan/schema/step.ts';
import { graphqlOperation } from './graphql.ts';
import { namesOfStep } from './walked.ts';

const PASSWORD_NAME_PATTERN = /pass(?:word|wd|wort|code|phrase)|^pass$|pwd|kennwort|contrase|senha/i;
/** Matches addresses at which accounts are created. */
const SIGN_UP_PATH_PATTERN =
  /(?:^|[/_.-])(?:sign[-_]?up|regist(?:er|ration|rierung)|enrol(?:l|ment|lment)?|create[-_]?account)(?![a-z])|\/(?:users|accounts|members|customers)\/?$/i;
/** Matches fields with details of a person, which a login does not ask for. */
const PERSON_NAME_PATTERN = /(?:first|last|full|given|family|sur)[-_ ]?name|phone|address|birth|^city$|postcode/i;
const MAIL_NAME_PATTERN = /e-?mail/i;
const USER_NAME_PATTERN = /^(?:.*[^a-z])?(?:user[-_ ]?(?:name)?|login|name|nick(?:name)?)\]?$/i;
/** Matches addresses of logins, logouts and tokens. */
const SESSION_PATH_PATTERN = /(?:^|[/_.-])(?:log|sign)[-_]?(?:in|out|on|off)(?![a-z])|\/(?:token|auth|authenticate)\/?$/i;

/**
 * Returns whether a step logs in: it sends a password in a field named like one, or from a secret or a secret feed column. A form with an
 * empty or a repeated password, or with further details of a person, edits or creates an account.
 */
export function isLogin(step: Step, { variables }: Pick<Plan, 'variables'>): boolean {
  const { multipart } = step;
  // A step that uploads files is no login, although some servers require the password with every file.
  if (SAFE_METHODS.has(step.method) || multipart?.some((part) => !('value' in part)) === true) return false;
  if (SIGN_UP_PATH_PATTERN.test(step.path.split(/[?#]/, 1)[0] ?? '')) return false;
  const fields = listFields(step);
  const passwords = fields.flatMap(([name, value]) => (PASSWORD_NAME_PATTERN.test(name) ? [value] : []));
  if (passwords.length > 0 && describesPerson(fields.map(([name]) => name))) return false;
  if (passwords.length > 0) return !passwords.includes('') && new Set(passwords).size === passwords.length;
  const secrets = new Set(Object.entries(variables ?? {}).flatMap(([name, { kind }]) => (kind === 'secret' ? [name] : [])));
  return namesOfStep(step).some((name) => secrets.has(name) || PASSWORD_NAME_PATTERN.test(name.split('.').at(1) ?? ''));
}

/** Returns whether fields state who a person is. A login asks for a user name or a mail address, but not for both. */
function describesPerson(names: readonly string[]): boolean {
  const hasMail = names.some((name) => MAIL_NAME_PATTERN.test(name));
  return names.some((name) => PERSON_NAME_PATTERN.test(name) || (hasMail && USER_NAME_PATTERN.test(name)));
}

/** Returns the fields that a step sends in its form or at the top level of its JSON, with their values. */
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
