import type { Step } from '#core/plan/schema/plan.ts';
import { StepChecks } from '../bodyCheck/stepChecks.ts';
import { closingHeaders, Recipe, runHeaders } from '../journey/recipe.ts';
import type { WorkerData } from '../messages.ts';
import type { DrivenStep } from './stageLoad.ts';
import { noSuch } from '../noSuch.ts';

/** Whether a status counts as good for a step: one of those it names, else any 2xx. */
export function expectationOf({ expectStatus, stream }: Step): (status: number) => boolean {
  if (stream?.kind === 'websocket') return (status) => status === 101;
  if (expectStatus === undefined) return (status) => status >= 200 && status < 300;
  const expected = new Set(expectStatus);
  return (status) => expected.has(status);
}

/**
 * The steps of the plan's journey as they are sent to one target, where they are the same in every journey: made once.
 * @throws {HoldfastError} for a request that cannot be built.
 */
export function drivenSteps(data: WorkerData, targetIndex: number): DrivenStep[] {
  const target = data.targets[targetIndex];
  if (target === undefined) throw noSuch('target', targetIndex);
  return data.plan.journey.map((step, slot) => {
    const recipe = new Recipe({
      step,
      targetUrl: target.url,
      headers: runHeaders(data.userAgent, target.headers),
      resolved: data.steps[slot] ?? { headers: {}, body: null },
      files: data.files,
      lastHeaders: closingHeaders(data.plan),
    });
    return {
      slot,
      request: recipe.build(recipe.urlOf(nothing), nothing, null),
      reader: step.checks.length === 0 ? null : new StepChecks(step.checks),
      isExpected: expectationOf(step),
    };
  });
}

function nothing(name: string): string {
  throw new RangeError(`Nothing gives “${name}” a value in a journey that is always the same.`);
}
