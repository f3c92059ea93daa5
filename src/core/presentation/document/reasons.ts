import { ruleOf } from '#core/judgement/diagnosis/rule.ts';
import { NOT_SEEN, SICK } from '#core/judgement/verdict/reasons.ts';
import type { RunResult, Verdict } from '#core/result/schema.ts';

type Reason = Verdict['reasons'][number];

/** So many reasons are told where the answer stands in large type. */
const MOST_TOLD = 3;

/** The reasons to tell beside the answer: the first few, and always what may have been missed. */
export function toldReasons(reasons: readonly Reason[]): Reason[] {
  const isRest = ({ code }: Reason): boolean => code === NOT_SEEN;
  return [...reasons.filter((reason) => !isRest(reason)).slice(0, MOST_TOLD), ...reasons.filter(isRest)];
}

/** The reasons that stand nowhere else on a page: neither in its table of criteria nor among its findings, which explain an overload cause by cause. */
export function reasonsBeside({ verdict, findings }: Pick<RunResult, 'verdict' | 'findings'>): Reason[] {
  const isExplained = findings.some((finding) => ruleOf(finding) === 'generatorLimited');
  return verdict.reasons.filter(({ code }) => !/\.(?:holds|breaks|unknown)$/.test(code) && !(isExplained && code === SICK));
}
