import type { RunFacts } from '../diagnosis/rule.ts';
import { OUTCOMES } from '../ledger.ts';
import type { Plan } from '../plan/schema.ts';
import { Totals } from '../stats/totals.ts';
import type { Cell, Window } from '../stats/window.ts';
import { pointOf, reducePoints } from './points.ts';
import { RESULT_SCHEMA, type RunHead, type RunResult } from './result.ts';
import { sliceOf } from './slice.ts';

/** What the engine knows at the end of a run that no window holds. Missing for a run whose process was killed. */
export interface EngineEndFacts {
  /** Per step, the body length of the run's first complete answer. */
  readonly firstBodyLengths: readonly (number | null)[];
  readonly serverSoftware: string | null;
  /** Per stage that was reached. */
  readonly stages: readonly { readonly startedAtSecond: number; readonly endedAtSecond: number }[];
  /** Length of the load, drain included. */
  readonly endedAtSecond: number;
}

/** Everything that is stored of a run. Windows come in order of time and may be of any width. */
export interface ResultInput {
  readonly head: RunHead;
  readonly plan: Plan;
  readonly windows: Iterable<Window>;
  readonly end: EngineEndFacts | null;
  readonly generators: RunResult['generators'];
  readonly events: RunResult['events'];
  /** At most this many points of the time axis; left out, all of them. */
  readonly maxPoints?: number;
}

/**
 * The figures of a run. Top-level figures and those of steps are of the counted stages (of all stages when none is counted);
 * the ledger is of everything that was sent, warm-up included. Rates are over the time from the beginning of a stage to its
 * end; of the last stage that includes the drain, like the time that ApacheBench takes.
 */
export function runFacts(input: ResultInput): RunFacts {
  const { plan, head, end } = input;
  const totals = new Totals();
  const points: RunResult['windows'] = [];
  const firstSeconds = new Map<number, number>();
  for (const window of input.windows) {
    totals.add(window);
    for (const { stage } of window.cells) if (!firstSeconds.has(stage)) firstSeconds.set(stage, window.second);
    points.push(pointOf(window));
  }
  const endSecond = end?.endedAtSecond ?? totals.endSecond;
  const startOf = (stage: number): number | null => (end ? end.stages[stage]?.startedAtSecond : firstSeconds.get(stage)) ?? null;
  const spans = plan.load.stages.map((_stage, index) => spanOf(startOf(index), startOf(index + 1) ?? endSecond));
  const isCounted = countedStages(plan);
  const countedSeconds = spans.reduce((sum, span, stage) => (isCounted(stage) && span ? sum + span.seconds : sum), 0);
  const firstLength = (step: number): number | null => end?.firstBodyLengths[step] ?? null;
  const onlyStep = plan.journey.length === 1 ? 0 : -1;

  const all = sliceOf(
    totals.sum(({ stage }) => isCounted(stage)),
    countedSeconds,
    firstLength(onlyStep),
  );
  const { requests: _requests, ...figures } = all;
  const stepResult = (wanted: (cell: Cell) => boolean, seconds: number | null): RunResult['steps'] =>
    plan.journey.map((step, index) => ({
      name: step.name,
      ...sliceOf(
        totals.sum((cell) => cell.step === index && wanted(cell)),
        seconds,
        firstLength(index),
      ),
    }));
  const { ledger, balances } = totals.ledger(plan, head.endedAt !== null);

  return {
    schema: RESULT_SCHEMA,
    run: head,
    plan,
    durationSeconds: points.length === 0 ? null : endSecond,
    ledger,
    balances,
    ...figures,
    outcomes: Object.fromEntries(
      OUTCOMES.flatMap((outcome) => (ledger.requests[outcome] > 0 ? [[outcome, ledger.requests[outcome]]] : [])),
    ),
    server: serverOf(plan, end),
    steps: stepResult(({ stage }) => isCounted(stage), countedSeconds),
    stages: plan.load.stages.map((stage, index) => {
      const span = spans[index] ?? null;
      const inStage = (cell: Cell): boolean => cell.stage === index;
      return {
        name: stageName(plan, index),
        counted: stage.counted,
        connections: stage.connections,
        startedAtSecond: span?.from ?? null,
        endedAtSecond: span ? span.from + span.seconds : null,
        ...sliceOf(totals.sum(inStage), span?.seconds ?? null, firstLength(onlyStep)),
        steps: stepResult(inStage, span?.seconds ?? null),
      };
    }),
    windows: input.maxPoints === undefined ? points : reducePoints(points, input.maxPoints),
    generators: input.generators,
    events: input.events,
  };
}

/** The name of a stage, or its number where it has none. */
export function stageName(plan: Plan, index: number): string {
  return plan.load.stages[index]?.name ?? (plan.load.stages.length === 1 ? 'the whole run' : `stage ${index + 1}`);
}

/** Which stages the figures are of: the counted ones; all when the plan counts none. */
export function countedStages(plan: Plan): (stage: number) => boolean {
  const { stages } = plan.load;
  const none = stages.every((stage) => !stage.counted);
  return (index) => none || (stages[index]?.counted ?? false);
}

interface Span {
  readonly from: number;
  readonly seconds: number;
}

/** From its first request to the beginning of the next stage, so that the answers it was still owed belong to it. */
function spanOf(from: number | null, to: number): Span | null {
  return from === null ? null : { from, seconds: Math.max(0, to - from) };
}

function serverOf(plan: Plan, end: EngineEndFacts | null): RunResult['server'] {
  const url = new URL(plan.targets[0]?.url ?? 'http://localhost/');
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return { software: end?.serverSoftware ?? null, host: url.hostname, port };
}
