import type { Issue } from '#core/plan/issues.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { didYouMean } from '#core/plan/suggest.ts';
import { error } from './make.ts';

/** What is counted belongs to a step, and no name stands twice. */
export function checkStored({ stored = [], journey }: Plan): Issue[] {
  const steps = journey.map(({ name }) => name);
  return stored.flatMap(({ name, step }, index): Issue[] => {
    const path = `stored[${index}]`;
    const isDouble = stored.findIndex((other) => other.name === name) < index;
    return [
      ...(steps.includes(step)
        ? []
        : [error('UNKNOWN_STEP', `${path}.step`, `No step of the journey is called “${step}”.`, didYouMean(step, steps))]),
      ...(isDouble ? [error('DOUBLE_NAME', `${path}.name`, `Two counts are called “${name}”.`, 'Give each a name of its own.')] : []),
    ];
  });
}
