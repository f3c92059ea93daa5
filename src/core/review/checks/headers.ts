import { SAFE_METHODS } from '#core/plan/requests.ts';
import { hasPlaceholders } from '#core/plan/secrets.ts';
import { error, type Issue } from '#core/plan/issues.ts';
import { hasPasswordOfAccount } from '#core/work/accounts/accounts.ts';
import { listTexts } from '#core/work/journey/walked.ts';
import type { Plan, Step, Target, TextOrSecret } from '#core/plan/schema/plan.ts';
import { warning } from './make.ts';

const IN_CLEAR_HINT = 'Plans, results and exports are stored and shared. Write {secret: env:NAME} or {secret: file:PATH} instead.';

/** Checks the headers of a target or step. Values of secrets are checked when they are resolved. */
export function checkHeaders(headers: Target['headers'], path: string): Issue[] {
  return Object.entries(headers).flatMap(([name, value]) => [
    ...checkHeaderName(name, `${path}.${name}`),
    ...checkHeaderValue(value, `${path}.${name}`),
    ...checkInClear(name, value, `${path}.${name}`),
  ]);
}

/** Warns if all users share a session cookie and each of them also logs in. A login may take over the session or end it for everybody. */
export function checkSharedLogin({ targets, journey }: Pick<Plan, 'targets' | 'journey'>): Issue[] {
  const shared = targets.findIndex(({ cookie }) => cookie !== undefined);
  const login = journey.find((step) => listTexts(step).some(({ text }) => hasPasswordOfAccount(text)));
  if (shared < 0 || login === undefined) return [];
  return [
    warning(
      'COOKIE_BESIDE_LOGIN',
      `targets[${shared}].cookie`,
      `All users share this cookie, and each logs in with an account of their own in “${login.name}”. The login may end the shared session.`,
      'Remove the cookie of the target.',
    ),
  ];
}

export function checkCookie(cookie: TextOrSecret | undefined, path: string): Issue[] {
  if (cookie === undefined) return [];
  return [...checkHeaderValue(cookie, path), ...checkInClear('Cookie', cookie, path)];
}

/**
 * Describes the first character that a header value must not contain (RFC 9110 §5.5; Latin-1, as HTTP/1.1 clients send it); null if there
 * is none.
 */
export function headerValueProblem(value: string): string | null {
  for (const letter of value) {
    const code = letter.codePointAt(0) ?? 0;
    if (code === 10 || code === 13) return 'a line break';
    if ((code < 32 && code !== 9) || code === 127) return 'a control character';
    if (code > 255) return `the character “${letter}”`;
  }
  return null;
}

function checkHeaderName(name: string, path: string): Issue[] {
  if (!/^(content-length|transfer-encoding|upgrade|expect|te|trailer)$/i.test(name)) return [];
  return [
    error(
      'HEADER_RESERVED',
      path,
      `Holdfast sets the header ${name} itself.`,
      'Remove it. It depends on the address, the body and the engine.',
    ),
  ];
}

function checkHeaderValue(value: TextOrSecret, path: string): Issue[] {
  if (typeof value !== 'string') return [];
  const problem = headerValueProblem(value);
  if (problem === null) return [];
  return [
    error(
      'HEADER_VALUE_INVALID',
      path,
      `The value contains ${problem}, which headers do not allow.`,
      'Check how it was copied. Encode other characters, for example as %XX.',
    ),
  ];
}

function checkInClear(name: string, value: TextOrSecret, path: string): Issue[] {
  if (typeof value !== 'string' || value.trim() === '' || hasPlaceholders(value)) return [];
  if (!/authorization|cookie|token|api-?key|secret|password|session/i.test(name)) return [];
  return [warning('SECRET_IN_CLEAR', path, `${name} looks like a secret in plain text.`, IN_CLEAR_HINT)];
}

function checkBodyInClear(body: TextOrSecret | undefined, path: string): Issue[] {
  if (typeof body !== 'string' || !/(password|passwd|secret|token)["']?\s*[:=](?!\s*["']?\{\{)/i.test(body)) return [];
  return [warning('SECRET_IN_CLEAR', path, 'The body seems to contain a password or token in plain text.', IN_CLEAR_HINT)];
}

const SECRET_FIELD_PATTERN = /pass(word|wd|code)?$|secret|token|api_?key|^pin$/i;

export function checkPayload(step: Step, path: string): Issue[] {
  const { body, form, method } = step;
  const bodyFields = (['body', 'bodyFile', 'form', 'multipart', 'json'] as const).filter((name) => step[name] !== undefined);
  const issues: Issue[] = [];
  if (bodyFields.length > 1) {
    issues.push(
      error(
        'TWO_BODIES',
        `${path}.${bodyFields[1] ?? ''}`,
        `A request cannot have a ${bodyFields.join(' and a ')}.`,
        'Keep one. form, multipart and json each make the body.',
      ),
    );
  }
  const [first] = bodyFields;
  if (first !== undefined && SAFE_METHODS.has(method)) {
    issues.push(
      warning(
        'BODY_WITHOUT_MEANING',
        `${path}.${first}`,
        `A body has no meaning in ${method}.`,
        'Use POST, PUT or PATCH, or remove the body. Many servers respond with 400.',
      ),
    );
  }
  return [...issues, ...checkBodyInClear(body, `${path}.body`), ...checkFormInClear(form, `${path}.form`)];
}

function checkFormInClear(form: Step['form'], path: string): Issue[] {
  return Object.entries(form ?? {}).flatMap(([name, value]) =>
    SECRET_FIELD_PATTERN.test(name) && value !== '' && !value.includes('{{')
      ? [
          warning(
            'SECRET_IN_CLEAR',
            `${path}.${name}`,
            `The field ${name} looks like a secret in plain text.`,
            'Add a variable of the kind secret, for example variables: {password: {kind: secret, secret: env:PASSWORD}}, and use {{password}} here.',
          ),
        ]
      : [],
  );
}
