import { escapePlaceholders, findPatternProblem } from '../placeholders.ts';
import { type Check, type ResponseExpectation, numberIn, plainText, type Value } from './values.ts';

const NO_REQUIREMENTS: ResponseExpectation = { statuses: [], checks: [], budgetMs: null };

const checking = (check: Check): ResponseExpectation => ({ ...NO_REQUIREMENTS, checks: [check] });

function isStatus(status: number | null): status is number {
  return status !== null && Number.isInteger(status) && status >= 100 && status <= 599;
}

/** Returns the member of a response that is known only in a run, such as `status` or `timings.duration`; an empty text for other values. */
function memberOfResponse(value: Value | undefined): string {
  return value?.kind === 'unknown' && value.what.startsWith('response.') ? value.what.slice(9) : '';
}

function isWholeBody(value: Value | undefined): value is Value {
  return value?.kind === 'found' && value.from === 'body';
}

/** Returns what must hold for a response if a value must be true; null if a plan cannot express it. */
export function readExpectation(value: Value): ResponseExpectation | null {
  if (value.kind === 'condition') return value.expected;
  return value.kind === 'found' && value.from === 'json' ? checking({ kind: 'json', path: value.at }) : null;
}

/** Returns what must hold for a response if both, or either, of two conditions must be true; null if a plan cannot express it. */
export function combineExpectations(
  operator: string,
  left: ResponseExpectation | null,
  right: ResponseExpectation | null,
): ResponseExpectation | null {
  if (left === null || right === null) return null;
  if (left.limit !== undefined || right.limit !== undefined)
    return operator === '&&' && /^>=200 (?:<300|<=299)$/.test(`${left.limit ?? ''} ${right.limit ?? ''}`) ? NO_REQUIREMENTS : null;
  // A plan can have alternative statuses. It requires all of its other checks.
  const isEither = [left, right].every(({ checks, budgetMs }) => checks.length === 0 && budgetMs === null);
  if (operator !== '&&' && !isEither) return null;
  return {
    statuses: [...left.statuses, ...right.statuses],
    checks: [...left.checks, ...right.checks],
    budgetMs: right.budgetMs ?? left.budgetMs,
  };
}

/** Returns the opposite of a condition; null if a plan cannot express it. */
export function negateExpectation({ statuses, checks }: ResponseExpectation): ResponseExpectation | null {
  const [check, second] = checks;
  if (check === undefined || second !== undefined || statuses.length > 0 || check.kind === 'size' || check.kind === 'page') return null;
  return checking({ ...check, not: true });
}

/** Returns what a comparison with a part of a response requires; null if a plan cannot express it. */
export function comparison(operator: string, left: Value, right: Value): ResponseExpectation | null {
  const number = numberIn(right);
  const isEqual = operator === '===' || operator === '==';
  const isLess = operator === '<' || operator === '<=';
  const member = memberOfResponse(left);
  if (member === 'status') {
    if (isEqual && isStatus(number)) return { ...NO_REQUIREMENTS, statuses: [number] };
    return isLess || operator === '>=' ? { ...NO_REQUIREMENTS, limit: `${operator}${number ?? ''}` } : null;
  }
  if (/^timings\.(?:duration|waiting)$/.test(member) && isLess && number !== null && number > 0)
    return { ...NO_REQUIREMENTS, budgetMs: Math.min(3_600_000, number) };
  if (member === 'body.length' && operator === '>' && number !== null)
    return checking({ kind: 'size', minBytes: Math.max(0, Math.floor(number) + 1) });
  if (isWholeBody(left) && !isEqual && (plainText(right) === '' || right.kind === 'plain')) return checking({ kind: 'size', minBytes: 1 });
  // The condition is `body.indexOf('x') !== -1` or similar.
  if (left.kind === 'condition')
    return (number === -1 && /^(?:!==?|>)$/.test(operator)) || (number === 0 && operator === '>=') ? left.expected : null;
  if (left.kind !== 'found' || left.from !== 'json') return null;
  const value = right.kind === 'plain' ? right.value : (plainText(right) ?? undefined);
  const isMissing = right.kind === 'plain' && (value === undefined || value === null);
  if (isEqual && right.kind === 'plain' && value === undefined) return checking({ kind: 'json', path: left.at, not: true });
  if (isEqual) return value === undefined ? null : checking({ kind: 'json', path: left.at, equals: value });
  return isMissing && /^!==?$/.test(operator) ? checking({ kind: 'json', path: left.at }) : null;
}

/**
 * Returns what must hold for `body.includes('x')`, `[200, 201].includes(r.status)`, `body.match(/x/)` or `/x/.test(body)` to be true; null
 * for other calls.
 */
export function expectationOfMethod(on: Value, method: string, [argument]: readonly Value[]): ResponseExpectation | null {
  if (on.kind === 'list' && method === 'includes' && memberOfResponse(argument) === 'status') {
    const statuses = on.items.map(numberIn).filter(isStatus);
    return statuses.length > 0 && statuses.length === on.items.length ? { ...NO_REQUIREMENTS, statuses } : null;
  }
  const pattern = method === 'test' && isWholeBody(argument) ? on : method === 'match' && isWholeBody(on) ? argument : undefined;
  if (pattern?.kind === 'pattern') {
    const flags = pattern.flags.replaceAll(/[gy]/g, '');
    return findPatternProblem(pattern.source, flags) === null ? checking({ kind: 'matches', pattern: pattern.source, flags }) : null;
  }
  if (!isWholeBody(on) || (method !== 'includes' && method !== 'indexOf')) return null;
  const text = plainText(argument) ?? '';
  return text === '' ? null : checking({ kind: 'contains', text: escapePlaceholders(text.slice(0, 10_000)) });
}
