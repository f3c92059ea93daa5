import { HoldfastError } from '#core/base/errors.ts';
import { checkPlan } from '#core/review/check.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

/** Throws `INVALID_PLAN` with every error. */
export function mayStart(plan: Plan): void {
  const issues = checkPlan(plan).filter(({ level }) => level === 'error');
  if (issues.length > 0)
    throw new HoldfastError({
      code: 'INVALID_PLAN',
      message: issues.length === 1 ? 'The plan has a mistake.' : `The plan has ${issues.length} mistakes.`,
      hint: issues.map(({ path, message, hint }) => `${path}: ${message} ${hint}`.trim()).join('\n'),
      data: { issues },
    });
}
