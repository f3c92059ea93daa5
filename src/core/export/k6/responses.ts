import { type JsonPath, parseCapturePath, parseJsonPath } from '#core/work/bodyCheck/jsonPath.ts';
import { labelOfCheck } from './checkNames.ts';
import type { BodyCheck } from '#core/plan/schema/step.ts';
import { checkLabel } from '#core/work/bodyCheck/errorTexts.ts';
import { countGroups } from '#core/work/journey/capturedTexts.ts';
import type { Capture } from '#core/plan/schema/journey.ts';
import type { Step } from '#core/plan/schema/plan.ts';
import { canonicalName } from './request.ts';
import type { K6Draft } from './draft.ts';
import type { Expressions, StepScope } from './expressions.ts';
import { memberName, quote, regularExpression, formatValue } from './javaScript.ts';

/** Returns whether a step reads the response body. */
export function readsBody({ checks, captures, poll, resources, redirects }: Step): boolean {
  return (
    checks.length > 0 ||
    poll !== undefined ||
    resources !== undefined ||
    redirects?.mayEndAtLogin === false ||
    (captures ?? []).some(({ from }) => /^(body|json|between)$/.test(from))
  );
}

/** Returns the status check for k6. */
export function statusCheck({ expectStatus }: Step): readonly [name: string, code: string] {
  const [only, ...others] = expectStatus ?? [];
  if (only === undefined) return ['any 2xx', '(r) => r.status >= 200 && r.status <= 299'];
  if (others.length === 0) return [`status ${only}`, `(r) => r.status === ${only}`];
  return [`status ${[only, ...others].join(' or ')}`, `(r) => ${formatValue([only, ...others])}.includes(r.status)`];
}

/** Returns a named body check. */
export function bodyCheck(
  draft: K6Draft,
  expressions: Expressions,
  check: BodyCheck,
  scope: StepScope,
): readonly [name: string, code: string] {
  return [nameOf(check), `(r) => ${writeCondition(draft, expressions, check, 'r', scope)}`];
}

function nameOf(check: BodyCheck): string {
  const label = checkLabel(check);
  if (check.kind === 'json' || check.kind === 'size' || check.kind === 'page') return label;
  return `${check.not ? (check.kind === 'contains' ? 'without ' : 'does not match ') : check.kind === 'contains' ? 'contains ' : 'matches '}${label}`;
}

/** Returns the condition that the response named `response` must satisfy. */
export function writeCondition(draft: K6Draft, expressions: Expressions, check: BodyCheck, response: string, scope: StepScope): string {
  switch (check.kind) {
    case 'contains':
      return `${check.not ? '!' : ''}(${response}.body ?? '').includes(${expressions.text(check.text, 'text', scope)})`;
    case 'matches':
      return `${check.not ? '!' : ''}${pattern(draft, check.pattern, check.flags)}.test(${response}.body ?? '')`;
    case 'json': {
      const found = `${draft.requireHelper('jsonAt')}(${[response, ...pathOf(check.path)].join(', ')})`;
      // Without an expected value, the value only has to exist.
      const isEqual = (check.equals === undefined) === check.not;
      const wanted = `${found} ${isEqual ? '===' : '!=='} ${writeEquality(expressions, check, scope)}`;
      // A body that is not JSON fails every check.
      return check.not ? `${draft.requireHelper('jsonOf')}(${response}) !== undefined && ${wanted}` : wanted;
    }
    case 'page':
      draft.note('k6 recognizes login forms, but not error pages and messages, where a check asks for a page.');
      if (check.mayBeOther === true && check.mayHaveLogin) return 'true';
      if (check.mayBeOther === true) return `${draft.requireHelper('loginForm')}(${response}).password === undefined`;
      return check.mayHaveLogin
        ? `/<(html|body)/i.test(${response}.body ?? '')`
        : `${draft.requireHelper('loginForm')}(${response}).password === undefined`;
    case 'size': {
      draft.note('Without Content-Length, k6 reports the body size after decompression.');
      const bytes = `${draft.requireHelper('bytesOf')}(${response})`;
      const limits = [
        ...(check.minBytes === undefined ? [] : [`${bytes} >= ${check.minBytes}`]),
        ...(check.maxBytes === undefined ? [] : [`${bytes} <= ${check.maxBytes}`]),
      ];
      return limits.join(' && ') || 'true';
    }
    default:
      return check satisfies never;
  }
}

function jsonCaptureCode(draft: K6Draft, capture: Extract<Capture, { from: 'json' }>, valueOf: (name: string) => string): string {
  const { path, within } = parseCapturePath(capture.path) ?? { path: [], within: null };
  const call = (helper: 'jsonAt' | 'jsonTexts'): string => `${draft.requireHelper(helper)}(${['response', ...listParts(path)].join(', ')})`;
  if (within === null)
    return capture.typed === true ? `JSON.stringify(${call('jsonAt')})` : choiceCode(draft, call('jsonTexts'), capture, valueOf);
  const items = `${draft.requireHelper('jsonItems')}(${call('jsonAt')}, [${listParts(within).join(', ')}])`;
  return capture.typed === true
    ? `JSON.stringify(${items})`
    : choiceCode(draft, `${draft.requireHelper('textsOfJson')}(${items})`, capture, valueOf);
}

function writeEquality(expressions: Expressions, { equals }: Extract<BodyCheck, { kind: 'json' }>, scope: StepScope): string {
  if (equals === undefined) return 'undefined';
  return typeof equals === 'string' ? expressions.text(equals, 'text', scope) : String(equals);
}

function pathOf(path: string): string[] {
  return listParts(parseJsonPath(path) ?? []);
}

function listParts(path: JsonPath): string[] {
  return path.map((part) => (typeof part === 'number' ? String(part) : quote(part)));
}

/** Returns a regular expression for k6, which supports neither flag v nor all Unicode classes. */
function pattern(draft: K6Draft, source: string, flags: string): string {
  if (flags.includes('v')) draft.note(`k6 does not support the flag v of regular expressions: /${source}/ has the flag u instead.`);
  if (/\\p\{/i.test(source)) draft.note(`k6 supports \\p{…} in regular expressions only in part. Check /${source}/.`);
  return regularExpression(source, flags.replace('v', 'u'));
}

/** Returns the expression of a capture. Its value is undefined if nothing is found and the plan has no default. */
export function writeCapture(draft: K6Draft, capture: Capture, url: string, valueOf: (name: string) => string): string {
  const found = captureCode(draft, capture, url, valueOf);
  return 'otherwise' in capture && capture.otherwise !== undefined ? `${found} ?? ${quote(capture.otherwise)}` : found;
}

function captureCode(draft: K6Draft, capture: Capture, url: string, valueOf: (name: string) => string): string {
  switch (capture.from) {
    case 'body': {
      const regular = pattern(draft, capture.pattern, `${capture.flags.replace('g', '')}g`);
      const groups = countGroups(capture.pattern, capture.flags.replace('g', ''));
      const found = `${draft.requireHelper('matches')}(response, ${regular}, ${capture.group ?? (groups > 0 ? 1 : 0)})`;
      return choiceCode(draft, capture.html ? `${found}.map(${draft.requireHelper('fromHtml')})` : found, capture, valueOf);
    }
    case 'between': {
      const found = `${draft.requireHelper('between')}(response, ${quote(capture.after)}, ${quote(capture.before)})`;
      return choiceCode(draft, capture.html ? `${found}.map(${draft.requireHelper('fromHtml')})` : found, capture, valueOf);
    }
    case 'json':
      return jsonCaptureCode(draft, capture, valueOf);
    case 'header': {
      const found = capture.pattern === undefined ? '' : `, ${pattern(draft, capture.pattern, '')}`;
      const text = `${draft.requireHelper('header')}(response, ${quote(canonicalName(capture.name))}${found})`;
      return capture.address === true ? `${draft.requireHelper('placeOf')}(response, ${text})` : text;
    }
    case 'form':
      return 'undefined';
    case 'loginForm':
      return `${draft.requireHelper('loginForm')}(response).${capture.part}`;
    case 'cookie':
      return `(http.cookieJar().cookiesForURL(${url})[${quote(capture.name)}] ?? [])[0]`;
    default:
      return capture satisfies never;
  }
}

function choiceCode(
  draft: K6Draft,
  found: string,
  { which, mayBeEmpty, address, unlike }: Extract<Capture, { which: unknown }>,
  valueOf: (name: string) => string,
): string {
  const places = address === true ? `${draft.requireHelper('placesOf')}(response, ${found})` : found;
  const list = unlike === undefined ? places : `${places}.filter((text) => ![].concat(${valueOf(unlike)}).includes(text))`;
  switch (which) {
    case 'first':
      return `${list}[0]`;
    case 'last':
      return `${list}.at(-1)`;
    case 'random':
      return `${draft.requireHelper('anyOf')}(${list})`;
    case 'all':
      return mayBeEmpty === true ? list : `${draft.requireHelper('someOf')}(${list})`;
    default:
      return which satisfies never;
  }
}

/** Returns the members of the checks object; duplicate names get numbers. */
export function checksCode(step: string, checks: readonly (readonly [name: string, code: string])[]): string {
  const taken = new Map<string, number>();
  const members = checks.map(([name, code]) => {
    const label = labelOfCheck(step, name);
    const times = (taken.get(label) ?? 0) + 1;
    taken.set(label, times);
    return `  ${memberName(times === 1 ? label : `${label} (${times})`)}: ${code},`;
  });
  return `{\n${members.join('\n')}\n}`;
}
