import type { Step } from '#core/plan/schema/plan.ts';
import type { ArtilleryDraft } from './draft.ts';
import { timeOf } from './timeOf.ts';

/** How long a visitor pauses after a step; null where nobody pauses. Behind the last step only a pause of its own. */
export function pauseAfter(draft: ArtilleryDraft, step: Step, isLast: boolean): number | string | null {
  const { load } = draft.plan;
  const pause = step.thinkTime ?? (isLast || !('thinkTime' in load) ? undefined : load.thinkTime);
  if (pause === undefined) return null;
  switch (pause.kind) {
    case 'fixed':
      return pause.seconds === 0 ? null : timeOf(pause.seconds);
    case 'uniform':
      return `${draft.template(`$randomNumber(${Math.round(pause.fromSeconds * 1_000)}, ${Math.round(pause.toSeconds * 1_000)})`)}ms`;
    case 'exponential':
      draft.note('Pauses that are drawn are as long as they are on average.');
      return timeOf(pause.meanSeconds);
    default:
      return pause satisfies never;
  }
}
