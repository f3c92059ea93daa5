import { CHECK, errorName, type Phase, readErrorName } from '#core/base/errorNames.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { formatBytes } from '#core/base/units.ts';
import type { BodyCheck } from '#core/plan/schema/step.ts';

/** Error codes of body checks, with their texts. `label` names the expected content. */
const ERROR_TEXTS = {
  TEXT_MISSING: (label) => `${label} is missing`,
  TEXT_PRESENT: (label) => `${label} is there, and should not be`,
  NO_MATCH: (label) => `nothing matches ${label}`,
  MATCH: (label) => `something matches ${label}, and should not`,
  NOT_JSON: (label) => `it is no JSON in which to look for ${label}`,
  JSON_DIFFERS: (label) => `it does not say that ${label}`,
  TOO_SMALL: (label) => `less than ${label}`,
  TOO_LARGE: (label) => `more than ${label}`,
  NOTHING_CAPTURED: (label) => `nothing to capture as ${label}`,
  TOO_MUCH_CAPTURED: (label) => `more to capture as ${label} than is kept`,
  PATTERN_TOO_SLOW: (label) => `looking for ${label} takes too long in the text`,
  NO_LOGIN_FORM: (label) => `it has no login form (no ${label})`,
  LOGIN_FORM: (label) => `it is a page with a login form (${label}): the user is not logged in`,
  ERROR_PAGE: (label) => `it is an error page (${label})`,
  SHOWS_ERROR: (label) => `the page shows an error: ${label}`,
  NO_PAGE: (label) => `it is no page in ${label}`,
  LEADS_TO_LOGIN: (label) => `it sends on to a login page (${label})`,
  LEAVES_TARGET: (label) => `it sends on to another server (${label})`,
  REDIRECT_LOOP: (label) => `redirects go round in a circle (${label})`,
  NOT_REDIRECTED: (label) => `it is no redirect to ${label}`,
  LEADS_ELSEWHERE: (label) => `it sends on to another page (${label})`,
  TOO_MANY_REDIRECTS: (label) => `more than ${label} redirects`,
  SAYS_WHY: (label) => `the site says: ${label}`,
  WAITED_IN_VAIN: (label) => `still not there after ${label}`,
  NO_LAST_PAGE: (label) => `its pages do not end (${label})`,
  NOT_A_STREAM: (label) => `it is no event stream (${label})`,
  NOT_KEPT: (label) => `too large to be looked at (${label})`,
  NOT_DECODED: (label) => `it cannot be unpacked (${label})`,
} as const satisfies Record<string, (label: string) => string>;
export type CheckCode = keyof typeof ERROR_TEXTS;

const MAX_LABEL_LENGTH = 60;
/** Maximum length of a reason. Messages of a site are longer than the labels of checks. */
const MAX_REASON_LENGTH = 240;
/** Code of a request that was not sent because a placeholder had no value. Its label is the placeholder. */
export const NO_VALUE_CODE = 'NO_VALUE';

/** Returns the error name under which a failed check is counted. */
export function checkError(code: CheckCode, label: string): string {
  const longest = code === 'SAYS_WHY' || code === 'SHOWS_ERROR' ? MAX_REASON_LENGTH : MAX_LABEL_LENGTH;
  return errorName(code, CHECK, label.length > longest ? `${label.slice(0, longest - 1)}…` : label);
}

/** Returns whether an error is a failed check. */
export function isCheckError(name: string): boolean {
  return readErrorName(name).phase === CHECK;
}

/** Returns whether an error is the reason that a site gave for a failure. */
export function isReason(name: string): boolean {
  const { code, phase } = readErrorName(name);
  return code === 'SAYS_WHY' && phase === CHECK;
}

const OTHER_PAGE_CODES: ReadonlySet<string> = new Set<CheckCode>([
  'LEADS_TO_LOGIN',
  'LEADS_ELSEWHERE',
  'LEAVES_TARGET',
  'LOGIN_FORM',
  'ERROR_PAGE',
  'NO_PAGE',
  'NOT_KEPT',
  'NOT_DECODED',
]);

/**
 * Returns whether a failed check means that the response was not the requested page, or could not be read. Such a response does not show
 * whether something is stored.
 */
export function isOfOtherPage(name: string): boolean {
  return isCheckError(name) && OTHER_PAGE_CODES.has(readErrorName(name).code);
}

/** Returns whether an error prevented a request from being sent. */
export function isUnsent(name: string): boolean {
  return readErrorName(name).phase === 'build';
}

const SYSTEM_ERRORS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'connection refused'],
  ['ECONNRESET', 'connection reset by the server'],
  ['EPIPE', 'connection closed by the server'],
  ['EOF', 'connection closed before the response ended'],
  ['TIMEOUT', 'no response in time'],
  ['ETIMEDOUT', 'connection timed out'],
  ['ENOTFOUND', 'no such host'],
  ['EAI_AGAIN', 'host name not resolved'],
  ['EHOSTUNREACH', 'host unreachable'],
  ['ENETUNREACH', 'network unreachable'],
  ['EADDRNOTAVAIL', 'no local port or address'],
  ['EMFILE', 'too many open files'],
  ['NEVER_SENT', 'waiting to be sent when the run ended'],
]);

const PHASE_TEXTS: Readonly<Record<Exclude<Phase, 'build'>, string>> = {
  resolve: 'while resolving the name',
  connect: 'while connecting',
  tls: 'in the TLS handshake',
  firstByte: 'while waiting for the response',
  body: 'during the response',
};

/**
 * Returns the text of an error, such as `connection refused (ECONNREFUSED)`, `no response in time (TIMEOUT while waiting for the
 * response)`, or `wrong content: “Welcome” is missing`.
 */
export function formatErrorName(name: string): string {
  const { code, label, phase } = readErrorName(name);
  const what = label === null ? code : `${code} ${label}`;
  if (phase === 'build') return `could not be made: ${code === NO_VALUE_CODE && label !== null ? `${label} has no value` : what}`;
  if (phase === CHECK) {
    if (code === 'SAYS_WHY') return ERROR_TEXTS.SAYS_WHY(label ?? '');
    return `wrong content: ${isCheckCode(code) && label !== null ? ERROR_TEXTS[code](label) : what}`;
  }
  const known = SYSTEM_ERRORS.get(what);
  const when = phase === null ? '' : (getOwn(PHASE_TEXTS, phase) ?? phase);
  return known === undefined ? `${what} ${when}`.trim() : `${known} (${code}${phase === 'connect' || when === '' ? '' : ` ${when}`})`;
}

function isCheckCode(code: string): code is CheckCode {
  return Object.hasOwn(ERROR_TEXTS, code);
}

/** Returns a short name of the content that a check expects. */
export function checkLabel(check: BodyCheck): string {
  switch (check.kind) {
    case 'contains':
      return `“${check.text}”`;
    case 'matches':
      return `/${check.pattern}/${check.flags}`;
    case 'json':
      if (check.equals === undefined) return `${check.path} ${check.not ? 'is absent' : 'is there'}`;
      return `${check.path} ${check.not ? 'is not' : 'is'} ${JSON.stringify(check.equals)}`;
    case 'page':
      return `${check.mayBeOther === true ? 'no error page' : 'a page without an error'}${check.withoutErrors ? ', an error message' : ''}${check.mayHaveLogin ? '' : ' or a login form'}`;
    case 'size':
      return [check.minBytes, check.maxBytes].flatMap((bytes) => (bytes === undefined ? [] : [formatBytes(bytes)])).join(' to ');
    default:
      return check satisfies never;
  }
}

/** Describes a check, as a continuation of “its body”: “contains “Welcome””. */
export function describeCheck(check: BodyCheck): string {
  switch (check.kind) {
    case 'contains':
      return `${check.not ? 'does not contain' : 'contains'} ${checkLabel(check)}`;
    case 'matches':
      return `${check.not ? 'does not match' : 'matches'} ${checkLabel(check)}`;
    case 'json':
      return `is JSON in which ${checkLabel(check)}`;
    case 'page':
      return `is ${checkLabel(check)}`;
    case 'size':
      if (check.minBytes === undefined) return `has at most ${formatBytes(check.maxBytes ?? 0)}`;
      if (check.maxBytes === undefined) return `has at least ${formatBytes(check.minBytes)}`;
      return `has ${formatBytes(check.minBytes)} to ${formatBytes(check.maxBytes)}`;
    default:
      return check satisfies never;
  }
}
