import { firstStepIndex } from '#core/work/journey/flow/executions.ts';
import type { RequestOutcomes } from '#core/measurement/requestOutcomes.ts';
import { findPlannedJourneys, correctPlanned } from '#core/work/load/planned.ts';
import { levelOf, secondsOf, type StageLoad, startUpStage } from '#core/work/load/stages.ts';
import { stageName } from '#core/plan/names.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { countRequestOutcomes, countEnded } from '#core/measurement/cellFigures.ts';
import { Totals } from '#core/result/totals.ts';
import type { Cell } from '#core/measurement/window.ts';
import { type RunResult } from '#core/result/schema.ts';
import { type StageTime } from '#core/result/stageTimes.ts';

type Stage = RunResult['stages'][number];

interface StageContext {
  readonly times: readonly (StageTime | null)[];
  readonly points: RunResult['windows'];
  readonly outcomes: RequestOutcomes;
}

/** Returns load, journeys and times of each stage, without the figures of its responses. */
export function buildStages(
  plan: Plan,
  totals: Totals,
  { times, points, outcomes }: StageContext,
): Pick<Stage, 'name' | 'counted' | 'level' | 'journeys' | 'startUp' | 'startedAtSecond' | 'endedAtSecond'>[] {
  const firstStep = firstStepIndex(plan);
  return plan.load.stages.map((stage, index) => ({
    name: stageName(plan, index),
    counted: stage.counted,
    level: findReachedLevel(levelOf(stage), outcomes, () => countOpenConnections(plan, totals, listPoints(points, times[index] ?? null))),
    journeys: countJourneys(
      plan,
      totals.sum((cell) => cell.stage === index && cell.step === firstStep),
      index,
    ),
    startUp: countStartUp(totals.sum((cell) => cell.stage === startUpStage(plan, index))),
    startedAtSecond: times[index]?.from ?? null,
    endedAtSecond: times[index]?.to ?? null,
  }));
}

/** Limits the number of users or connections to the number of open connections, if the load generator ran out of ports or files. */
function findReachedLevel(level: StageLoad, { noPort, noFile }: RequestOutcomes, findOpen: () => number): StageLoad {
  if (level.unit === 'arrivalsPerSecond' || noPort + noFile === 0) return level;
  const open = findOpen();
  const [from, to, highest] = [level.from, level.to, level.highest].map((count) => Math.min(count, open));
  return { ...level, from: from ?? 0, to: to ?? 0, highest: highest ?? 0 };
}

/**
 * Returns the highest number of connections that were open at the same time. Connections that are kept stay open, so all that were opened
 * count. Others are open for one request or journey, so the largest number of requests in flight at the end of a second counts.
 */
function countOpenConnections(plan: Plan, totals: Totals, points: readonly RunResult['windows'][number][]): number {
  const opened = totals.sum(() => true).connectionsOpened;
  const { reuse } = plan.connections;
  return reuse === 'always' || points.length === 0 ? opened : Math.min(opened, Math.max(...points.map(({ inFlight }) => inFlight)));
}

function listPoints(points: readonly RunResult['windows'][number][], time: StageTime | null): readonly RunResult['windows'][number][] {
  return time === null ? [] : points.filter(({ second }) => second >= Math.floor(time.from) && second < time.to);
}

/** Counts the journeys of a stage. `cell` is the cell of the step at which journeys are counted. */
function countJourneys(plan: Plan, cell: Cell, index: number): RunResult['stages'][number]['journeys'] {
  const { journeysStarted: started, notStartedTarget, notStartedGenerator } = cell;
  const scheduled = findPlannedJourneys(plan, index);
  const planned = scheduled === null ? null : correctPlanned(plan, scheduled, started + notStartedTarget + notStartedGenerator, 1);
  const counts = { planned, started, notStartedTarget, notStartedGenerator };
  const stage = plan.load.stages[index];
  const seconds = stage === undefined ? null : secondsOf(stage);
  if (plan.load.model !== 'arrivals' || planned === null || seconds === null)
    return { ...counts, plannedPerSecond: null, startedPerSecond: null, offeredShare: null };
  const offeredShare = planned === 0 ? null : started / planned;
  return { ...counts, plannedPerSecond: planned / seconds, startedPerSecond: started / seconds, offeredShare };
}

function countStartUp(cell: Cell): RunResult['stages'][number]['startUp'] {
  if (cell.started === 0) return null;
  return { requests: countOutcomesOfCell(cell), status: Object.fromEntries(cell.statuses), errors: { ...cell.errors } };
}

/** Returns the outcomes of a cell. Requests that have not ended are in flight. */
export function countOutcomesOfCell(cell: Cell): RequestOutcomes {
  return countRequestOutcomes([cell], Math.max(0, cell.started - countEnded(cell)));
}
