import type { Issue } from '#core/plan/issues.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { didYouMean } from '#core/plan/suggest.ts';
import { error } from './make.ts';

/** Results are those of a step that polls for them; of any other there would be nothing to tell. */
export function checkDemand({ demand, journey }: Plan): Issue[] {
  const step = demand?.results?.step;
  const polled = journey.flatMap(({ name, poll }) => (poll === undefined ? [] : [name]));
  if (step === undefined || polled.includes(step)) return [];
  const path = 'demand.results.step';
  const isKnown = journey.some(({ name }) => name === step);
  if (isKnown)
    return [
      error('STEP_NOT_POLLED', path, `“${step}” polls for nothing, so it has no results.`, 'Give the step a poll, or name one that has.'),
    ];
  return [error('UNKNOWN_STEP', path, `No step of the journey is called “${step}”.`, didYouMean(step, polled))];
}
