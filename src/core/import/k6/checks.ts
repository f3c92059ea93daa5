import type { Expression } from 'acorn';
import type { WrittenStep } from '../draft.ts';
import { jsonPathOf, literal, whyNoPattern } from '../placeholders.ts';
import { type FunctionNode, numberIn, plainText, type Value } from './values.ts';

type Check = NonNullable<WrittenStep['checks']>[number];

export interface Expected {
  readonly statuses: number[];
  readonly checks: Check[];
  readonly budgetMs: number | null;
}

/** Evaluates the other side of a comparison with the response. */
type Evaluate = (expression: Expression) => Value;

const NO_REQUIREMENTS: Expected = { statuses: [], checks: [], budgetMs: null };

/** Returns the requirements of a k6 check; null if a plan cannot express them. */
export function checksIn({ params, body }: FunctionNode, evaluate: Evaluate): Expected | null {
  const [parameter] = params;
  const response = parameter?.type === 'Identifier' ? parameter.name : null;
  const returned =
    body.type === 'BlockStatement'
      ? body.body.length === 1 && body.body[0]?.type === 'ReturnStatement'
        ? body.body[0].argument
        : null
      : body;
  return returned == null || response === null ? null : expectedBy(returned, { response, evaluate });
}

interface Reading {
  readonly response: string;
  readonly evaluate: Evaluate;
}

function expectedBy(node: Expression, reading: Reading): Expected | null {
  if (node.type === 'ParenthesizedExpression') return expectedBy(node.expression, reading);
  if (node.type === 'LogicalExpression') {
    if (node.operator === '&&' && isSuccessRange(node, reading)) return NO_REQUIREMENTS;
    const [left, right] = [expectedBy(node.left, reading), expectedBy(node.right, reading)];
    if (left === null || right === null) return null;
    // A plan can have alternative statuses. It requires all of its other checks.
    const isEither = node.operator === '||' && [left, right].every(({ checks, budgetMs }) => checks.length === 0 && budgetMs === null);
    if (node.operator === '&&' || isEither)
      return {
        statuses: [...left.statuses, ...right.statuses],
        checks: [...left.checks, ...right.checks],
        budgetMs: right.budgetMs ?? left.budgetMs,
      };
    return null;
  }
  if (node.type === 'BinaryExpression' && node.left.type !== 'PrivateIdentifier')
    return comparison(node.operator, node.left, node.right, reading);
  if (node.type === 'CallExpression') return readCall(node, reading);
  if (node.type === 'UnaryExpression' && node.operator === '!') {
    const inner = expectedBy(node.argument, reading);
    const [check] = inner?.checks ?? [];
    return inner?.checks.length === 1 && inner.statuses.length === 0 && check !== undefined && 'not' in { not: false, ...check }
      ? { ...inner, checks: [negate(check)] }
      : null;
  }
  const path = jsonPlace(node, reading);
  return path === null ? null : { ...NO_REQUIREMENTS, checks: [{ kind: 'json', path }] };
}

function negate(check: Check): Check {
  return check.kind === 'contains' || check.kind === 'matches' || check.kind === 'json' ? { ...check, not: true } : check;
}

/** Returns whether `r.status >= 200 && r.status < 300` is checked, the default of a plan. */
function isSuccessRange({ left, right }: { left: Expression; right: Expression }, reading: Reading): boolean {
  const limits = [left, right].flatMap((side) => {
    if (side.type !== 'BinaryExpression' || side.left.type === 'PrivateIdentifier' || placeOf(side.left, reading) !== 'status') return [];
    return [`${side.operator}${numberIn(reading.evaluate(side.right)) ?? ''}`];
  });
  return limits[0] === '>=200' && /^(?:<300|<=299)$/.test(limits[1] ?? '');
}

function comparison(operator: string, left: Expression, right: Expression, reading: Reading): Expected | null {
  const place = placeOf(left, reading);
  const isEqual = operator === '===' || operator === '==';
  const value = reading.evaluate(right);
  const number = numberIn(value);
  if (place === 'status' && isEqual && number !== null && Number.isInteger(number) && number >= 100 && number <= 599)
    return { ...NO_REQUIREMENTS, statuses: [number] };
  if (/^timings\.(?:duration|waiting)$/.test(place ?? '') && (operator === '<' || operator === '<=') && number !== null && number > 0)
    return { ...NO_REQUIREMENTS, budgetMs: Math.min(3_600_000, number) };
  if (place === 'body.length' && operator === '>' && number !== null)
    return { ...NO_REQUIREMENTS, checks: [{ kind: 'size', minBytes: Math.max(0, Math.floor(number) + 1) }] };
  if (place === 'body' && !isEqual && (plainText(value) === '' || value.kind === 'plain'))
    return { ...NO_REQUIREMENTS, checks: [{ kind: 'size', minBytes: 1 }] };
  const text = left.type === 'CallExpression' ? textSought(left, reading) : null;
  if (
    text !== null &&
    ((number === -1 && (operator === '!==' || operator === '!=' || operator === '>')) || (number === 0 && operator === '>='))
  )
    return { ...NO_REQUIREMENTS, checks: [{ kind: 'contains', text: literal(text) }] };
  const path = jsonPlace(left, reading);
  if (path === null) return null;
  if (isEqual && value.kind === 'plain' && value.value === undefined)
    return { ...NO_REQUIREMENTS, checks: [{ kind: 'json', path, not: true }] };
  const equals = value.kind === 'plain' && value.value !== undefined ? value.value : plainText(value);
  if (isEqual && (equals !== null || value.kind === 'plain')) return { ...NO_REQUIREMENTS, checks: [{ kind: 'json', path, equals }] };
  const isThere =
    (operator === '!==' || operator === '!=') && value.kind === 'plain' && (value.value === undefined || value.value === null);
  return isThere ? { ...NO_REQUIREMENTS, checks: [{ kind: 'json', path }] } : null;
}

/** Reads `body.includes('x')`, `[200, 201].includes(r.status)` and `body.match(/x/)`. */
function readCall(node: Extract<Expression, { type: 'CallExpression' }>, reading: Reading): Expected | null {
  const sought = textSought(node, reading);
  if (sought !== null) return { ...NO_REQUIREMENTS, checks: [{ kind: 'contains', text: literal(sought) }] };
  const { callee } = node;
  const [argument] = node.arguments as Expression[];
  if (
    callee.type !== 'MemberExpression' ||
    callee.property.type !== 'Identifier' ||
    callee.object.type === 'Super' ||
    argument === undefined
  ) {
    const path = jsonPlace(node, reading);
    return path === null ? null : { ...NO_REQUIREMENTS, checks: [{ kind: 'json', path }] };
  }
  const { name } = callee.property;
  if (name === 'includes' && placeOf(argument, reading) === 'status') {
    const list = reading.evaluate(callee.object);
    const statuses = list.kind === 'list' ? list.items.map(numberIn) : [];
    return statuses.length > 0 && statuses.every((status) => status !== null && status >= 100 && status <= 599)
      ? { ...NO_REQUIREMENTS, statuses: statuses.flatMap((status) => status ?? []) }
      : null;
  }
  const pattern =
    name === 'test' && placeOf(argument, reading) === 'body'
      ? reading.evaluate(callee.object)
      : name === 'match' && placeOf(callee.object, reading) === 'body'
        ? reading.evaluate(argument)
        : null;
  if (pattern?.kind === 'pattern' && whyNoPattern(pattern.source, pattern.flags.replaceAll(/[gy]/g, '')) === null)
    return { ...NO_REQUIREMENTS, checks: [{ kind: 'matches', pattern: pattern.source, flags: pattern.flags.replaceAll(/[gy]/g, '') }] };
  const path = jsonPlace(node, reading);
  return path === null ? null : { ...NO_REQUIREMENTS, checks: [{ kind: 'json', path }] };
}

/** Returns the text that `r.body.includes(…)` or `r.body.indexOf(…)` searches for. */
function textSought(node: Extract<Expression, { type: 'CallExpression' }>, reading: Reading): string | null {
  const { callee } = node;
  const [argument] = node.arguments as Expression[];
  if (
    callee.type !== 'MemberExpression' ||
    callee.property.type !== 'Identifier' ||
    callee.object.type === 'Super' ||
    argument === undefined
  )
    return null;
  if (!/^(?:includes|indexOf)$/.test(callee.property.name) || placeOf(callee.object, reading) !== 'body') return null;
  const text = plainText(reading.evaluate(argument));
  return text === null || text === '' ? null : text.slice(0, 10_000);
}

/** Returns the response member of an expression (`status`, `timings.duration`, `body`); null for anything else. */
function placeOf(node: Expression, { response }: Reading): string | null {
  const names: string[] = [];
  let place: Expression = node;
  while (place.type === 'MemberExpression' && !place.computed && place.property.type === 'Identifier' && place.object.type !== 'Super') {
    names.unshift(place.property.name);
    place = place.object;
  }
  return place.type === 'Identifier' && place.name === response && names.length > 0 ? names.join('.') : null;
}

/** Returns the path of `r.json('a.b')`, `r.json().a[0].b` or `JSON.parse(r.body).a`; null for anything else. */
function jsonPlace(node: Expression, reading: Reading): string | null {
  let after = '';
  let place: Expression = node.type === 'ChainExpression' ? node.expression : node;
  while (place.type === 'MemberExpression' && place.object.type !== 'Super') {
    const { property } = place;
    if (!place.computed && property.type === 'Identifier') after = `.${property.name}${after}`;
    else if (property.type === 'Literal') after = `[${JSON.stringify(property.value)}]${after}`;
    else return null;
    place = place.object;
  }
  if (place.type !== 'CallExpression' || place.callee.type !== 'MemberExpression' || place.callee.object.type === 'Super') return null;
  const [argument] = place.arguments as Expression[];
  const isParse = place.callee.object.type === 'Identifier' && place.callee.object.name === 'JSON';
  if (isParse) return argument !== undefined && placeOf(argument, reading) === 'body' ? jsonPathOf(`$${after}`) : null;
  if (placeOf(place.callee, reading) !== 'json') return null;
  const selector = argument === undefined ? '' : plainText(reading.evaluate(argument));
  if (selector === null) return null;
  const parts = selector
    .split('.')
    .filter((part) => part !== '')
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`));
  return jsonPathOf(`$${parts.join('')}${after}`);
}
