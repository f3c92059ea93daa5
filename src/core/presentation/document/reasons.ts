import { ruleOf } from '#core/judgement/diagnosis/rule.ts';
import { NOT_SEEN, OVERLOADED } from '#core/judgement/verdict/reasons.ts';
import type { RunResult, Verdict } from '#core/result/schema.ts';

type Reason = Verdict['reasons'][number];

/** Maximum number of reasons beside the verdict in large type. */
const MAX_REASONS = 3;

/** Returns the reasons to show beside the verdict: the first few, and always what may have been missed. */
export function toldReasons(reasons: readonly Reason[]): Reason[] {
  const isRest = ({ code }: Reason): boolean => code === NOT_SEEN;
  return [...reasons.filter((reason) => !isRest(reason)).slice(0, MAX_REASONS), ...reasons.filter(isRest)];
}

/** Returns the reasons that are neither in the table of criteria nor among the findings, which explain each cause of an overload. */
export function reasonsBeside({ verdict, findings }: Pick<RunResult, 'verdict' | 'findings'>): Reason[] {
  const isExplained = findings.some((finding) => ruleOf(finding) === 'generatorLimited');
  return verdict.reasons.filter(({ code }) => !/\.(?:passed|failed|unknown)$/.test(code) && !(isExplained && code === OVERLOADED));
}
