import { escapeFor, TARGET_WITHOUT_SLASH, removeTrailingSlash } from '#core/work/journey/escape.ts';
import { parseTemplate, type Placeholder } from '#core/plan/secrets.ts';
import { listRecordedRequests, findSideUrl } from '#core/plan/requests.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import type { ResourceKind } from '#core/plan/schema/step.ts';
import { findNamedTarget } from '#core/plan/url.ts';
import type { K6Draft } from './draft.ts';
import type { Expressions, StepScope } from './expressions.ts';
import { ValueMarks } from '../valueMarks.ts';
import { templateLiteral, quote } from './javaScript.ts';

/** Returns the address of a step as an expression, resolved against its target as far as known in advance. */
export function addressOf(draft: K6Draft, expressions: Expressions, step: Step, scope: StepScope): string {
  const { targets } = draft.plan;
  const side = findSideUrl(step);
  const [first, ...others] = parseTemplate(step.path);
  const beginsAtTarget = typeof first === 'object' && first.name === TARGET_WITHOUT_SLASH;
  const parts = first === undefined || beginsAtTarget ? others : [first, ...others];
  const query = Object.entries(step.query ?? {}).map(([name, text]) => ({ name, text, parts: parseTemplate(text) }));
  if (typeof first === 'object' && !beginsAtTarget) return capturedAddressCode(draft, expressions, step, scope);
  const own = side ?? findNamedTarget(draft.plan, step)?.url;
  const bases = own === undefined ? targets.map(({ url }) => url) : [own];
  const marks = new ValueMarks<string>([...bases, step.path, ...query.flatMap(({ name, text }) => [name, text])]);
  const templateCode = (part: string | Placeholder): string =>
    typeof part === 'string' ? part : marks.mark(expressions.innerCode([part], 'address', scope));
  let path = parts.map(templateCode).join('');
  for (const { name, parts: given } of query) {
    const written = given.every((part) => typeof part === 'string')
      ? escapeFor('address', given.join(''))
      : marks.mark(`\${${draft.requireHelper('encode')}(\`${expressions.innerCode(given, 'text', scope)}\`)}`);
    path += `${path.includes('?') ? '&' : '?'}${escapeFor('address', name)}=${written}`;
  }
  const resolved = bases.map((base) => {
    const begin = beginsAtTarget ? removeTrailingSlash(base) : '';
    const url = new URL(begin === '/' && path.startsWith('/') ? path : begin + path, base);
    const rest = url.href.slice(url.origin.length).replace(/#.*$/s, '');
    return { origin: url.origin, rest: marks.parseMarks(rest, templateLiteral).join('') };
  });
  const [only] = resolved;
  if (only !== undefined && resolved.length === 1) return literalAddressCode(`${templateLiteral(only.origin)}${only.rest}`, only);
  if (only !== undefined && resolved.every(({ rest }) => rest === only.rest)) return `\`\${server.origin}${only.rest}\``;
  return `[${resolved.map((each) => literalAddressCode(`${templateLiteral(each.origin)}${each.rest}`, each)).join(', ')}][SERVERS.indexOf(server)]`;
}

/** Returns the address of a path that starts with a captured link. */
function capturedAddressCode(draft: K6Draft, expressions: Expressions, step: Step, scope: StepScope): string {
  const [first, ...rest] = parseTemplate(step.path);
  const begin = typeof first === 'object' ? expressions.innerCode([{ ...first, isRaw: true }], 'text', scope) : '';
  let text = begin + expressions.innerCode(rest, 'address', scope);
  let joint = '?';
  for (const [name, value] of Object.entries(step.query ?? {})) {
    text += `${joint}${templateLiteral(escapeFor('address', name))}=\${${draft.requireHelper('encode')}(\`${expressions.innerCode(parseTemplate(value), 'text', scope)}\`)}`;
    joint = '&';
  }
  return `${draft.requireHelper('resolve')}(${writeBase(draft.plan, step)}, \`${text}\`)`;
}

/** Returns the address of the target of a step as an expression. */
export function writeBase(plan: Plan, step: Step): string {
  const named = findNamedTarget(plan, step);
  if (named !== undefined) return quote(named.url);
  return plan.targets.length === 1 ? quote(plan.targets[0]?.url ?? '') : 'server.url';
}

function literalAddressCode(template: string, { origin, rest }: { origin: string; rest: string }): string {
  return !/[`\\$]/.test(template) ? quote(`${origin}${rest}`) : `\`${template}\``;
}

/** Returns the number of the redirect request of a step among the recorded requests. */
export function writeRedirectSlot(plan: Plan, step: number): number {
  const found = listRecordedRequests(plan).findIndex((request) => request.step === step && request.isRedirect);
  return found < 0 ? step : found;
}

/** Returns the numbers of the page resources of a step, by kind. */
export function writeResourceSlots(plan: Plan, step: number): { kind: ResourceKind; requestIndex: number; name: string }[] {
  return listRecordedRequests(plan).flatMap(({ step: of, resource, name }, requestIndex) =>
    of === step && resource !== null ? [{ kind: resource, requestIndex, name }] : [],
  );
}
