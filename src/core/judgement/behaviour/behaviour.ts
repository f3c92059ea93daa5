import { recordedRequests } from '#core/plan/requests.ts';
import { secondsOf, levelOf } from '#core/work/load/stages.ts';
import { judgedStages, stageName } from '#core/plan/names.ts';
import { profileOf } from '#core/work/load/profile.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Point } from '#core/result/schema.ts';
import type { Span } from '#core/result/stageTimes.ts';
import { endedCount, goodTimes } from '#core/measurement/cellFigures.ts';
import { EARLY_ANSWERS } from '#core/measurement/early.ts';
import { percentileRank, valueAtRank } from '#core/statistics/histogram.ts';
import type { Totals } from '#core/result/totals.ts';
import type { Cell } from '#core/measurement/window.ts';
import { burstPlaces, burstsOf, type BurstStage } from './bursts.ts';
import { capacityOf, type CapacityStage } from './capacity.ts';
import { firstAnswers } from './firstAnswers.ts';
import { groupsOf } from './groups.ts';
import { queueOf } from './queue.ts';
import { recoveriesOf } from './recovery.ts';
import type { Behaviour, Queue } from '#core/result/behaviour.ts';

interface BehaviourInput {
  readonly plan: Plan;
  readonly totals: Totals;
  /** All windows of the run, in their order. */
  readonly points: readonly Point[];
  /** When each stage was loaded; null for one that was never reached. */
  readonly spans: readonly (Span | null)[];
}

/** What times give away about the server: of the first answers, of queues, of bursts and of loads that are high for a while, and of rates that rise. */
export function behaviourOf(input: BehaviourInput): Behaviour {
  const { plan, totals, points } = input;
  const steps = recordedRequests(plan);
  const bursts = burstPlaces(plan);
  const isOpen = plan.load.model === 'arrivals';
  return {
    firstAnswers: steps.flatMap(({ name, resource }, step) => {
      // Many different things under one name: their first ones say nothing of each other.
      if (resource !== null) return [];
      const sum = totals.sum((cell) => cell.step === step);
      return sum.started === 0 ? [] : [firstAnswers(name, sum.early, goodTimes(sum))];
    }),
    queues: isOpen ? queuesOf(input) : [],
    bursts: bursts.length === 0 ? null : burstsOf(burstStages(input, bursts)),
    recoveries: bursts.length === 0 && plan.load.model !== 'connections' ? recoveriesOf(profileOf(plan), points) : [],
    capacity: isOpen && steps.length === 1 && bursts.length === 0 ? capacityOf(capacityStages(input), points) : null,
    groups: groupsOf(plan, totals),
  };
}

function queuesOf({ plan, totals }: BehaviourInput): Queue[] {
  // Of stages that do not count, too: nothing is judged here.
  return plan.load.stages.flatMap((_stage, stage) =>
    recordedRequests(plan).flatMap(({ name }, step) => {
      const cell = totals.sum((one) => one.stage === stage && one.step === step);
      return cell.started === 0 ? [] : [queueOf({ stage: stageName(plan, stage), step: name }, cell.early, cell.started)];
    }),
  );
}

function burstStages({ totals, points, spans }: BehaviourInput, places: readonly number[]): BurstStage[] {
  return places.map((stage, index) => {
    const cell = totals.sum((one) => one.stage === stage);
    const next = places[index + 1];
    const nextStart = next === undefined ? null : (spans[next]?.from ?? null);
    const failed = cell.started - (cell.outcomes.ok ?? 0);
    return { sent: cell.started, failed, leftOver: nextStart === null ? 0 : leftOverAt(nextStart, cell, points) };
  });
}

/** Exact where every answer is known one by one; else as the last window before says. */
function leftOverAt(second: number, cell: Cell, points: readonly Point[]): number {
  if (cell.started <= EARLY_ANSWERS) {
    const came = cell.early.filter(({ startUs, responseUs }) => startUs + responseUs <= second * 1_000_000).length;
    return Math.max(0, Math.min(cell.started, endedCount(cell)) - came);
  }
  return points.findLast((point) => point.second + point.width <= second)?.inFlight ?? 0;
}

function capacityStages({ plan, totals, spans }: BehaviourInput): CapacityStage[] {
  return judgedStages(plan).flatMap((stage) => {
    const span = spans[stage] ?? null;
    const planned = plan.load.stages[stage];
    if (span === null || planned === undefined || secondsOf(planned) === null) return [];
    const times = totals.sum((cell) => cell.stage === stage).times.serviceOk;
    const p50 = times === undefined || times.totalCount === 0 ? null : valueAtRank(times, percentileRank(50, times.totalCount)) / 1_000;
    const { from, to } = levelOf(planned);
    return [{ fromSecond: span.from, toSecond: span.to, fromPerSecond: from, toPerSecond: to, p50 }];
  });
}
