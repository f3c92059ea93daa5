import type { StageLoad } from '#core/work/load/stages.ts';
import type { TimeMs } from '#core/base/units.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Finding, RunHead, RunResult } from '#core/result/schema.ts';
import type { Overload } from '#core/result/overload.ts';
import type { StageTime, StartTimes } from '#core/result/stageTimes.ts';
import type { Evidence } from './evidence.ts';
import type { CriterionResult } from '#core/result/verdict.ts';

/** Input of the verdict. */
export interface JudgeInput {
  readonly plan: Plan;
  readonly head: Pick<RunHead, 'state' | 'endedBecause'>;
  readonly evidence: Evidence;
  /** Time at which requests of each stage started, from the windows alone. */
  readonly starts: StartTimes;
  /** Time in which each stage's load was running; null if the stage was never reached. */
  readonly stageTimes: readonly (StageTime | null)[];
  /** The level that each stage reached, if the load generator could not reach the planned one. Default: the planned level. */
  readonly levels?: readonly StageLoad[];
  /** Overload of the whole run, used only in sentences. The decision uses the overload of the evidence. */
  readonly overload: Overload;
  /**
   * 95th percentile of the judged stages, as in the result. Failed requests and incomplete pages count as never responding. null: unknown.
   */
  readonly p95: { readonly requests: TimeMs; readonly pages: TimeMs };
  /** Whether request outcomes add up. If not, something was not measured, and nothing can pass. */
  readonly balances: boolean;
  readonly generators: RunResult['generators'];
  readonly events: RunResult['events'];
  /** Omitted for a plan without bells or people. */
  readonly bells?: RunResult['bells'];
  readonly people?: RunResult['people'];
  /** Omitted for a plan whose steps give no places. */
  readonly places?: RunResult['places'];
  /** A cause of failures at any load, with its remedy; omitted if none was found. */
  readonly notOfLoad?: Pick<Finding, 'remedy'> | null;
}

/** Scope in which a criterion is judged: one stage, and one step or all steps together (null). */
export interface Scope {
  readonly stage: number;
  readonly step: number | null;
}

/** Result of judging one criterion in one scope, without the names of the scope. */
export type Judgement = Omit<CriterionResult, 'criterion' | 'text' | 'stage' | 'step'>;

type PartialJudgement = Pick<Judgement, 'outcome' | 'reason' | 'measured' | 'limit' | 'unit'> & Partial<Judgement>;

/** Completes a judgement. The figures of a share are null by default. */
export function completeJudgement(judged: PartialJudgement): Judgement {
  return { unknownBecause: null, counted: null, over: null, shareLow: null, shareHigh: null, fromSecond: null, ...judged };
}

/**
 * Returns whether the run reached its end on all load generators with every request accounted for. If not, a criterion can fail but not
 * pass.
 */
export function isComplete({ head, balances, generators }: JudgeInput): boolean {
  return head.state === 'finished' && balances && generators.every(({ lost }) => lost === null);
}

/** Returns whether outstanding requests were given the drain time of the plan. False for a run that was killed. */
export function wasDrained({ head }: JudgeInput): boolean {
  return head.state === 'finished' || head.state === 'stopped';
}
