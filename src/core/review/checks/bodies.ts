import { parseJsonPath } from '#core/work/bodyCheck/jsonPath.ts';
import type { BodyCheck } from '#core/plan/schema/step.ts';
import { error, type Issue } from '#core/plan/issues.ts';
import type { Step } from '#core/plan/schema/plan.ts';
import { badJsonPath } from './make.ts';

/** Checks that body checks are valid and do not contradict each other. */
export function checkBodies(step: Step, path: string): Issue[] {
  const waitedFor = step.poll?.until ?? [];
  if (step.checks.length === 0 && waitedFor.length === 0) return [];
  const issues = [
    ...step.checks.flatMap((check, index) => checkOne(check, `${path}.checks[${index}]`)),
    ...waitedFor.flatMap((check, index) => checkOne(check, `${path}.poll.until[${index}]`)),
  ];
  const without = explainNoBody(step);
  if (without !== null) {
    issues.push(
      error('CHECK_WITHOUT_BODY', `${path}.checks`, `${without} has no body to check.`, 'Remove the checks, or request the body.'),
    );
  }
  const contradicted = step.checks.findIndex((check, index) => step.checks.slice(0, index).some((other) => areOpposite(check, other)));
  if (contradicted >= 0) {
    issues.push(
      error('CHECKS_CONTRADICT', `${path}.checks[${contradicted}]`, 'This check contradicts an earlier one.', 'Remove one of the two.'),
    );
  }
  return issues;
}

function explainNoBody({ method, expectStatus }: Step): string | null {
  if (method === 'HEAD') return 'The response to HEAD';
  const bodyless = expectStatus?.every((status) => status === 204 || status === 304) ?? false;
  return bodyless ? `A response with status ${expectStatus?.join(' or ') ?? ''}` : null;
}

function checkOne(check: BodyCheck, path: string): Issue[] {
  switch (check.kind) {
    case 'contains':
    case 'page':
      return [];
    case 'matches':
      return checkPattern(check.pattern, check.flags, path);
    case 'json':
      if (parseJsonPath(check.path) !== null) return [];
      return [badJsonPath(`${path}.path`, check.path, 'price')];
    case 'size':
      return checkSize(check, path);
    default:
      return check satisfies never;
  }
}

/** Checks a regular expression of a body check or a capture. */
export function checkPattern(pattern: string, flags: string, path: string): Issue[] {
  if (!/^[imsuv]*$/.test(flags)) {
    return [error('BAD_PATTERN', `${path}.flags`, `“${flags}” are not valid flags.`, 'Use i (any case), m, s, u or v.')];
  }
  const reason = findPatternProblem(pattern, flags);
  if (reason === null) return [];
  return [error('BAD_PATTERN', `${path}.pattern`, `This is not a regular expression: ${reason}`, 'Put \\ before a literal character.')];
}

function findPatternProblem(pattern: string, flags: string): string | null {
  try {
    return RegExp(pattern, flags) instanceof RegExp ? null : '';
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}

function checkSize({ minBytes, maxBytes }: Extract<BodyCheck, { kind: 'size' }>, path: string): Issue[] {
  if (minBytes === undefined && maxBytes === undefined) {
    return [error('SIZE_WITHOUT_LIMIT', path, 'The body size has no limit.', 'Set minBytes, maxBytes or both.')];
  }
  if (minBytes === undefined || maxBytes === undefined || minBytes <= maxBytes) return [];
  return [error('SIZE_IMPOSSIBLE', path, 'minBytes is larger than maxBytes.', 'Make minBytes the smaller one.')];
}

/** Returns whether two checks are equal except for `not`. */
function areOpposite(one: BodyCheck, other: BodyCheck): boolean {
  if (!('not' in one) || !('not' in other) || one.not === other.not) return false;
  return JSON.stringify({ ...one, not: other.not }) === JSON.stringify(other);
}
