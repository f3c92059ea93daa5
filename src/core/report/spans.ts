import { secondsOf } from '../load/stages.ts';
import type { Plan } from '../plan/schema.ts';

/** What the engine knows at the end of a run that no window holds. Missing for a run whose process was killed. */
export interface EngineEndFacts {
  /** Per step, the body length of the run's first complete answer. */
  readonly firstBodyLengths: readonly (number | null)[];
  readonly serverSoftware: string | null;
  /** Connections opened by the address that accepted them. */
  readonly addresses: Readonly<Record<string, number>>;
  /** Links of pages to hosts that the plan does not ask, by host. */
  readonly leftOut?: Readonly<Record<string, number>>;
  /** Per stage that was reached: when its first request was wanted and when its load, without drain, ended. */
  readonly stages: readonly { readonly startedAtSecond: number; readonly endedAtSecond: number }[];
  /** Length of the load, drain included. */
  readonly endedAtSecond: number;
}

/** The seconds of the run that the rates of a stage are over. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * When a stage was loaded. One that ends by time: from its first request to the end of its load; what is answered in the drain
 * belongs to its figures but not to its rates, or one answer that is owed for minutes would spoil the rate of all. One that
 * ends by requests: to the last answer, like the time that ApacheBench takes. null for a stage that was never reached.
 * `seen` is where windows show its requests, for a run that left no {@link EngineEndFacts}.
 */
export function spanOf(plan: Plan, stage: number, end: EngineEndFacts | null, seen: Span | null): Span | null {
  const facts = end?.stages[stage];
  if (!end || !facts) return seen;
  if (endsByTime(plan, stage) && facts.endedAtSecond > facts.startedAtSecond)
    return { from: facts.startedAtSecond, to: facts.endedAtSecond };
  // A stage with another after it was answered completely before that one began; the last one may still have been drained.
  const to = stage === end.stages.length - 1 ? Math.max(end.endedAtSecond, facts.endedAtSecond) : facts.endedAtSecond;
  return { from: facts.startedAtSecond, to: Math.max(to, facts.startedAtSecond) };
}

/**
 * Whether a window that begins at `second` passed while a stage that ends by time was loaded. What completes in it belongs to the
 * rates of that stage, even when it was asked for by the stage before or while users were starting: without it, a rate would be
 * too low by the share that the time of an answer has of the stage.
 */
export function isDuring(plan: Plan, stage: number, span: Span | null, second: number): boolean {
  return span !== null && endsByTime(plan, stage) && second >= Math.round(span.from) && second < windowAfter(span);
}

/** Whether what completes in a window that begins at `second` came after the load of a stage, in its drain. */
export function isAfter(plan: Plan, stage: number, span: Span | null, second: number): boolean {
  return span !== null && endsByTime(plan, stage) && second >= windowAfter(span);
}

/**
 * The first window of a second that is not of a stage: one belongs to where most of it lies, or a stage that ends 3 ms late would have all
 * of the next second. One in which a stage begins and ends is its own.
 */
function windowAfter({ from, to }: Span): number {
  return Math.max(Math.round(to), Math.floor(from) + 1);
}

function endsByTime(plan: Plan, stage: number): boolean {
  const found = plan.load.stages[stage];
  return found !== undefined && secondsOf(found) !== null;
}
