import { overloadOf } from '#core/result/overload.ts';
import { type RunResult, whyCut } from '#core/result/schema.ts';
import { answeredRequests, failedShareOf } from '#core/measurement/requestOutcomes.ts';
import type { TimeMs } from '#core/base/units.ts';
import { occurring } from '#core/result/countsOfRun.ts';
import { judgedStages } from '../plan/names.ts';
import { type Condition, conditionsOf } from './refusal.ts';
import type { Comparison, Figure, Scope } from './schema.ts';
import { visitedFigures, watchedFigures } from './watched.ts';

type ComparedFigures = Pick<RunResult['steps'][number], 'requests' | 'latency' | 'rates'>;

export const WHOLE_RUN: Scope = { kind: 'run', name: '' };

/** Returns the figures by which runs are compared: the whole run, then steps and counted stages if there are several, then watched machines. */
function figuresOfRun(result: RunResult): Figure[] {
  const counted = judgedStages(result.plan).flatMap((index) => result.stages[index] ?? []);
  const shown = counted.some(({ requests }) => requests.sent > 0) ? counted : result.stages;
  const steps = occurring(result, result.steps);
  return [
    ...figuresIn(WHOLE_RUN, { ...result, requests: addRequests(shown.map(({ requests }) => requests)) }),
    ...(steps.length > 1 ? steps.flatMap((step) => figuresIn({ kind: 'step', name: step.name }, step)) : []),
    ...(shown.length > 1 ? shown.flatMap((stage) => figuresIn({ kind: 'stage', name: stage.name }, stage)) : []),
    ...visitedFigures(result),
    ...watchedFigures(result),
  ];
}

function figuresIn(scope: Scope, { requests, latency, rates }: ComparedFigures): Figure[] {
  const answered = answeredRequests(requests);
  const { completedPerSecond } = rates;
  const good = completedPerSecond === null ? null : answered === 0 ? 0 : (completedPerSecond * requests.ok) / answered;
  const { p50, p95, p99 } = latency.response;
  return [
    { scope, measure: 'goodPerSecond', value: good },
    { scope, measure: 'p50', value: known(p50) },
    { scope, measure: 'p95', value: known(p95) },
    { scope, measure: 'p99', value: known(p99) },
    { scope, measure: 'failedShare', value: failedShareOf(requests) },
  ];
}

function known(time: TimeMs): number | null {
  return time === 'never' ? null : time;
}

type Requests = RunResult['outcomes']['requests'];

/** Sums the requests for {@link figuresIn}. */
function addRequests(list: readonly Requests[]): Requests {
  const [first, ...others] = list;
  if (first === undefined) throw new Error('a run has at least one stage');
  return others.reduce(
    (sum, { sent, ok, httpError, wrongBody }) => ({
      ...sum,
      sent: sum.sent + sent,
      ok: sum.ok + ok,
      httpError: sum.httpError + httpError,
      wrongBody: sum.wrongBody + wrongBody,
    }),
    first,
  );
}

/** The parts of a run that a comparison needs; small, so that many fit in memory. */
export interface ComparedRun extends Readonly<Comparison['sides'][number]['runs'][number]> {
  readonly figures: readonly Figure[];
  readonly conditions: readonly Condition[];
}

/** Runs that are repeats of the same thing. */
export interface ComparedSide {
  readonly name: string;
  readonly runs: readonly ComparedRun[];
}

export function comparedRunOf(result: RunResult): ComparedRun {
  const { id, name, startedAt, note } = result.run;
  return {
    id,
    name,
    startedAt,
    note,
    outcome: result.verdict.outcome,
    leftOut: whyCut(result.run),
    overloadedSeconds: overloadOf(result).seconds,
    figures: figuresOfRun(result),
    conditions: conditionsOf(result),
  };
}
