import type { Level } from '#core/work/load/stages.ts';
import type { TimeMs } from '#core/base/units.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Finding, ObjectiveResult, RunHead, RunResult } from '#core/result/schema.ts';
import type { Overload } from '#core/result/overload.ts';
import type { StageTime, StartTimes } from '#core/result/stageTimes.ts';
import type { Evidence } from './evidence.ts';

/** Everything that the verdict follows from. */
export interface JudgeInput {
  readonly plan: Plan;
  readonly head: Pick<RunHead, 'state' | 'endedBecause'>;
  readonly evidence: Evidence;
  /** When requests of each stage started, by windows alone. */
  readonly starts: StartTimes;
  /** When each stage was loaded; null where it was never reached. */
  readonly stageTimes: readonly (StageTime | null)[];
  /** The reached level of each stage, if the load generator could not reach the planned level. Default: the planned level. */
  readonly levels?: readonly Level[];
  /** Of the whole run: what is said of it, whatever the sickness of the evidence decides. */
  readonly overload: Overload;
  /** Within which time 95 % came in the judged stages, as in the result: failures never did, and pages that are not complete. null: unknown. */
  readonly p95: { readonly requests: TimeMs; readonly pages: TimeMs };
  /** Whether the ledger balances; where it does not, something was not measured and nothing can hold. */
  readonly balances: boolean;
  readonly generators: RunResult['generators'];
  readonly events: RunResult['events'];
  /** What makes requests fail at any load, and what to do; left out where nothing of the kind is known. */
  readonly notOfLoad?: Pick<Finding, 'remedy'> | null;
}

/** Where an objective is judged: one stage, and one step of it or, for throughput, all of them together (null). */
export interface Scope {
  readonly stage: number;
  readonly step: number | null;
}

/** What judging one objective in one scope finds out; the names are added here. */
export type Judgement = Omit<ObjectiveResult, 'objective' | 'text' | 'stage' | 'step'>;

/** Whether the run went to its end, at all of its generators, with every request accounted for. Anything else can break, but never hold. */
export function isComplete({ head, balances, generators }: JudgeInput): boolean {
  return head.state === 'finished' && balances && generators.every(({ lost }) => lost === null);
}

/** Whether requests without an answer were given the time that the plan grants them. Not in a run that was cut off. */
export function wasDrained({ head }: JudgeInput): boolean {
  return head.state === 'finished' || head.state === 'stopped';
}
