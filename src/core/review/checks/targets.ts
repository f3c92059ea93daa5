import type { Issue } from '#core/plan/issues.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { checkCookie, checkHeaders } from './headers.ts';
import { error, repeated } from './make.ts';

export function checkTargets(plan: Plan): Issue[] {
  const perTarget = plan.targets.flatMap((target, index) => {
    const path = `targets[${index}]`;
    const issues = [...checkHeaders(target.headers, `${path}.headers`), ...checkCookie(target.cookie, `${path}.cookie`)];
    if (target.cookie !== undefined && Object.keys(target.headers).some((name) => name.toLowerCase() === 'cookie')) {
      issues.push(error('TWO_COOKIES', `${path}.cookie`, 'The cookie is given twice, by itself and as a header.', 'Keep one of the two.'));
    }
    return issues;
  });
  const twice = repeated(plan.targets.map((target) => target.name)).map((index) =>
    error('DUPLICATE_TARGET_NAME', `targets[${index}].name`, 'Two targets have the same name.', 'Give each its own name.'),
  );
  return [...perTarget, ...twice];
}
