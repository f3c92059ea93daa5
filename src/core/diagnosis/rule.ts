import type { Finding, RunResult } from '../report/result.ts';

/** What rules look at: a result as far as it is known before anything was concluded from it. */
export type RunFacts = Omit<RunResult, 'objectives' | 'verdict' | 'findings'>;

/** One thing that an expert would notice. Pure: the same facts always give the same findings, and healthy facts none. */
export interface Rule {
  readonly id: string;
  find(facts: RunFacts): Finding[];
}

/** Complete answers, good or not: what rules about answers count shares of. */
export function answered(requests: RunFacts['ledger']['requests']): number {
  return requests.ok + requests.httpError + requests.wrongBody;
}

/** Shares below this are coincidences that nobody should be troubled with. */
export const NEGLIGIBLE_SHARE = 0.001;
