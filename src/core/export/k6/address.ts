import { escapeFor, TARGET_WITHOUT_SLASH, withoutSlash } from '#core/work/journey/escape.ts';
import { parseTemplate, type Placeholder } from '#core/plan/secrets.ts';
import { recordedRequests, sideUrlOf } from '#core/plan/requests.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import type { ResourceKind } from '#core/plan/schema/pages.ts';
import type { K6Draft } from './draft.ts';
import type { Expressions, StepScope } from './expressions.ts';
import { inTemplate, quoted } from './javaScript.ts';

/** Stands for a value while an address is resolved: nothing in it is escaped, in whatever part of the address it comes. */
const MARK = /holdfastvalue(\d+)x/g;

/** Where a step goes, as an expression: resolved against its target as far as that is known beforehand. */
export function addressOf(draft: K6Draft, expressions: Expressions, step: Step, scope: StepScope): string {
  const { targets } = draft.plan;
  const side = sideUrlOf(step);
  const [first, ...others] = parseTemplate(step.path);
  const beginsAtTarget = typeof first === 'object' && first.name === TARGET_WITHOUT_SLASH;
  const parts = first === undefined || beginsAtTarget ? others : [first, ...others];
  const query = Object.entries(step.query ?? {}).map(([name, text]) => ({ name, parts: parseTemplate(text) }));
  if (typeof first === 'object' && !beginsAtTarget) return foundAddress(draft, expressions, step, scope);
  const values: string[] = [];
  const mark = (expression: string): string => `holdfastvalue${values.push(expression) - 1}x`;
  const filled = (part: string | Placeholder): string =>
    typeof part === 'string' ? part : mark(expressions.inside([part], 'address', scope));
  let path = parts.map(filled).join('');
  for (const { name, parts: text } of query) {
    const written = text.every((part) => typeof part === 'string')
      ? escapeFor('address', text.join(''))
      : mark(`\${${draft.helper('encode')}(\`${expressions.inside(text, 'text', scope)}\`)}`);
    path += `${path.includes('?') ? '&' : '?'}${escapeFor('address', name)}=${written}`;
  }
  const bases = side === null ? targets.map(({ url }) => url) : [side];
  const resolved = bases.map((base) => {
    const begin = beginsAtTarget ? withoutSlash(base) : '';
    const url = new URL(begin === '/' && path.startsWith('/') ? path : begin + path, base);
    const rest = url.href.slice(url.origin.length).replace(/#.*$/s, '');
    return { origin: url.origin, rest: withValues(rest, values) };
  });
  const [only] = resolved;
  if (only !== undefined && resolved.length === 1) return literal(`${inTemplate(only.origin)}${only.rest}`, only, values);
  if (only !== undefined && resolved.every(({ rest }) => rest === only.rest)) return `\`\${server.origin}${only.rest}\``;
  return `[${resolved.map((each) => literal(`${inTemplate(each.origin)}${each.rest}`, each, values)).join(', ')}][SERVERS.indexOf(server)]`;
}

/** What a path begins with is an address of its own, as it stood in a link. */
function foundAddress(draft: K6Draft, expressions: Expressions, step: Step, scope: StepScope): string {
  const [first, ...rest] = parseTemplate(step.path);
  const begin = typeof first === 'object' ? expressions.inside([{ ...first, isRaw: true }], 'text', scope) : '';
  let text = begin + expressions.inside(rest, 'address', scope);
  let joint = '?';
  for (const [name, value] of Object.entries(step.query ?? {})) {
    text += `${joint}${inTemplate(escapeFor('address', name))}=\${${draft.helper('encode')}(\`${expressions.inside(parseTemplate(value), 'text', scope)}\`)}`;
    joint = '&';
  }
  const base = draft.plan.targets.length === 1 ? quoted(draft.plan.targets[0]?.url ?? '') : 'server.url';
  return `${draft.helper('resolve')}(${base}, \`${text}\`)`;
}

function withValues(text: string, values: readonly string[]): string {
  let written = '';
  let position = 0;
  for (const match of text.matchAll(MARK)) {
    written += inTemplate(text.slice(position, match.index)) + (values[Number(match[1])] ?? '');
    position = match.index + match[0].length;
  }
  return written + inTemplate(text.slice(position));
}

function literal(template: string, { origin, rest }: { origin: string; rest: string }, values: readonly string[]): string {
  return values.length === 0 && !/[`\\$]/.test(template) ? quoted(`${origin}${rest}`) : `\`${template}\``;
}

/** The number by which what the redirects of a step lead to is told: its place among the requests that a run records. */
export function redirectSlotOf(plan: Plan, step: number): number {
  const found = recordedRequests(plan).findIndex((request) => request.step === step && request.isRedirect);
  return found < 0 ? step : found;
}

/** The same of what its pages link to, by kind. */
export function resourceSlotsOf(plan: Plan, step: number): { kind: ResourceKind; slot: number; name: string }[] {
  return recordedRequests(plan).flatMap(({ step: of, resource, name }, slot) =>
    of === step && resource !== null ? [{ kind: resource, slot, name }] : [],
  );
}
