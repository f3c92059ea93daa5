import type { LimitsJudgement } from '#core/series/limits.ts';
import { VerdictMark } from '../components/VerdictMark.tsx';
import { words } from '../words/words.ts';

/** What the limits of the plan say of runs of one thing; where they disagree, that is chance. */
export function LimitsMark({ judgement }: { readonly judgement: LimitsJudgement }) {
  return judgement === 'withinNoise' ? (
    <VerdictMark mark="inconclusive" word={words.series.withinNoise} />
  ) : (
    <VerdictMark mark={judgement} />
  );
}
