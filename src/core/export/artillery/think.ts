import type { Step } from '#core/plan/schema.ts';
import type { ArtilleryDraft } from './draft.ts';

/** Seconds that a visitor pauses after a step; null where nobody pauses. Behind the last step only a pause of its own. */
export function pauseAfter(draft: ArtilleryDraft, step: Step, isLast: boolean): number | string | null {
  const { load } = draft.plan;
  const pause = step.thinkTime ?? (isLast || !('thinkTime' in load) ? undefined : load.thinkTime);
  if (pause === undefined) return null;
  switch (pause.kind) {
    case 'fixed':
      return pause.seconds === 0 ? null : pause.seconds;
    case 'uniform': {
      const [from, to] = [Math.round(pause.fromSeconds), Math.round(pause.toSeconds)];
      if (from !== pause.fromSeconds || to !== pause.toSeconds) draft.note('Pauses are drawn in whole seconds.');
      return `{{ $randomNumber(${from}, ${to}) }}`;
    }
    case 'exponential':
      draft.note('Pauses that are drawn are as long as they are on average.');
      return pause.meanSeconds;
    default:
      return pause satisfies never;
  }
}
