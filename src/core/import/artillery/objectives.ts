import type { PlanInput } from '#core/plan/schema/plan.ts';
import type { Draft } from '../draft.ts';
import { at, entriesAt, isBlock, listAt } from '../reading.ts';

type Objective = NonNullable<PlanInput['objectives']>[number];

/** What `ensure` asks for, as objectives. */
export function objectivesOf(draft: Draft, config: unknown): Objective[] {
  const ensure = at(config, 'ensure') ?? at(config, 'plugins', 'ensure');
  const simple = entriesAt(ensure).filter(([name]) => name !== 'thresholds' && name !== 'conditions');
  const listed = listAt(ensure, 'thresholds').flatMap((item) => (isBlock(item) ? Object.entries(item) : []));
  const objectives = [...simple, ...listed].flatMap(([name, limit]): Objective[] => {
    const objective = objectiveOf(name, limit);
    if (objective === null) draft.leftOut(`config.ensure.${name.slice(0, 60)}`, 'This limit has no equivalent.');
    return objective === null ? [] : [objective];
  });
  for (const [index] of listAt(ensure, 'conditions').entries())
    draft.leftOut(
      `config.ensure.conditions[${index}]`,
      'A condition is an expression of Artillery’s.',
      'It was left out. Write it as objectives of the plan.',
    );
  return objectives.slice(0, 50);
}

function objectiveOf(name: string, limit: unknown): Objective | null {
  const number = typeof limit === 'number' && limit > 0 ? limit : null;
  if (name === 'maxErrorRate' && typeof limit === 'number' && limit >= 0 && limit < 100) return { kind: 'errors', maxShare: limit / 100 };
  const percentile = /^(?:http\.response_time\.)?(?:p(\d{2,3})|(median))$/.exec(name);
  if (percentile === null || number === null || number > 3_600_000) return null;
  const digits = percentile[1] ?? '50';
  const value = percentile[2] === undefined ? Number(digits.length === 3 ? `${digits.slice(0, 2)}.${digits.slice(2)}` : digits) : 50;
  return value > 0 && value < 100 ? { kind: 'responseTime', percentile: value, limitMs: number } : null;
}
