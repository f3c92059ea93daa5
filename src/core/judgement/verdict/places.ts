import { formatCount } from '#core/base/units.ts';
import { countOversold, placesSentences } from '#core/result/places.ts';
import { isRunning } from '#core/result/schema.ts';
import type { CriterionResult } from '#core/result/verdict.ts';
import { WHOLE_RUN_NAME } from './completion.ts';
import { completeJudgement, type JudgeInput } from './input.ts';

/** Judges that no more places were given than there are. It counts, because even one place too many is a violation. */
export function judgePlaces({ head, places }: JudgeInput): CriterionResult[] {
  if (places === undefined || isRunning(head.state) || places.given + places.refused === 0) return [];
  const oversold = countOversold(places);
  const [sentence = ''] = placesSentences(places);
  return [
    {
      criterion: { kind: 'errors', step: places.step, maxShare: 0 },
      text: `at most ${formatCount(places.places)} places are given`,
      stage: WHOLE_RUN_NAME,
      step: places.step,
      ...completeJudgement({
        outcome: oversold > 0 ? 'failed' : 'passed',
        reason: sentence,
        measured: oversold / (places.places + oversold),
        limit: 0,
        unit: 'share',
        counted: places.places + oversold,
        over: oversold,
      }),
      isDefault: true,
      ...(oversold > 0 ? { isOfStorage: true } : {}),
    },
  ];
}
