import type { Issue } from '#core/plan/issues.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { didYouMean } from '#core/plan/suggest.ts';
import { error } from './make.ts';

/** What counts a step has to name one. */
export function checkWatch({ watch = [], journey }: Plan): Issue[] {
  const names = journey.map(({ name }) => name);
  return watch.flatMap(({ counts }, index) =>
    counts === undefined || names.includes(counts)
      ? []
      : [error('UNKNOWN_STEP', `watch.${index}.counts`, `No step of the journey is called “${counts}”.`, didYouMean(counts, names))],
  );
}
