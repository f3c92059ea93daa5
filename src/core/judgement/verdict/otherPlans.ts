import { stepsPerJourney } from '#core/work/journey/flow/executions.ts';
import { maxInFlightOf } from '#core/work/load/stages.ts';
import { checkPlan } from '#core/review/check.ts';
import {
  type ArrivalsStage,
  type ConnectionsStage,
  MAX_ARRIVALS_PER_SECOND,
  MAX_CONNECTIONS,
  MAX_REQUESTS,
  MAX_STAGE_SECONDS,
  MAX_USERS,
  type Stage,
} from '#core/plan/schema/load.ts';
import { type Plan, planSchema } from '#core/plan/schema/plan.ts';
import { findHighestLevel } from './labels.ts';

/**
 * Returns the plan with the load of every stage multiplied; null if that changes nothing or is invalid. The result never has more
 * connections than requests.
 */
export function scaleLoad(plan: Plan, factor: number): Plan | null {
  const changed = mapStages(plan, (stage, index) => {
    if ('connections' in stage) return scaleConnections(stage, factor, stepsPerJourney(plan, index));
    if ('users' in stage) return { ...stage, users: roundWithin(stage.users * factor, MAX_USERS) };
    return scaleRate(stage, factor);
  });
  return findHighestLevel(changed).highest === findHighestLevel(plan).highest ? null : validPlanOrNull(changed);
}

function scaleConnections(stage: ConnectionsStage, factor: number, steps: number): ConnectionsStage {
  const connections = roundWithin(stage.connections * factor, MAX_CONNECTIONS);
  if (stage.requests === undefined || stage.requests >= connections) return { ...stage, connections };
  return { ...stage, connections, requests: Math.ceil(connections / steps) * steps };
}

function scaleRate(stage: ArrivalsStage, factor: number): ArrivalsStage {
  const scaleUp = (perSecond: number): number => Math.min(MAX_ARRIVALS_PER_SECOND, perSecond * factor);
  switch (stage.kind) {
    case 'constant':
      return { ...stage, perSecond: scaleUp(stage.perSecond) };
    case 'ramp':
    case 'steps':
      return { ...stage, fromPerSecond: scaleUp(stage.fromPerSecond), toPerSecond: scaleUp(stage.toPerSecond) };
    case 'count':
      return { ...stage, arrivals: roundWithin(stage.arrivals * factor, MAX_REQUESTS) };
    case 'spike':
      return { ...stage, basePerSecond: scaleUp(stage.basePerSecond), peakPerSecond: scaleUp(stage.peakPerSecond) };
    case 'pause':
      return stage;
    default:
      return stage satisfies never;
  }
}

/**
 * Returns the plan with its counted stages `factor` times as long, in requests or seconds; null if it would exceed the limits of a plan.
 */
export function lengthenPlan(plan: Plan, factor: number): Plan | null {
  const lengthen = (seconds: number): number => Math.min(MAX_STAGE_SECONDS, seconds * factor);
  const changed = mapStages(plan, (stage, index) => {
    const steps = stepsPerJourney(plan, index);
    if (!stage.counted) return stage;
    if ('connections' in stage) {
      if (stage.requests !== undefined)
        return { ...stage, requests: Math.min(Math.floor(MAX_REQUESTS / steps) * steps, stage.requests * factor) };
      return stage.seconds === undefined ? stage : { ...stage, seconds: lengthen(stage.seconds) };
    }
    if ('users' in stage) return { ...stage, seconds: lengthen(stage.seconds) };
    return lengthenRate(stage, lengthen, factor);
  });
  return validPlanOrNull(changed);
}

/** Returns the plan of an open model with a cap of at least `journeys` in every stage; null if each cap is already as high. */
export function raiseMaxInFlight(plan: Plan, journeys: number): Plan | null {
  const { load } = plan;
  if (load.model !== 'arrivals') return null;
  const cap = Math.min(MAX_USERS, journeys);
  const raiseCapTo = (maxInFlight: number): number => Math.max(cap, maxInFlight);
  if (load.stages.every((stage) => maxInFlightOf(load, stage) >= cap)) return null;
  const stages = load.stages.map((stage) =>
    'maxInFlight' in stage && stage.maxInFlight !== undefined ? { ...stage, maxInFlight: raiseCapTo(stage.maxInFlight) } : stage,
  );
  return { ...plan, load: { ...load, maxInFlight: raiseCapTo(load.maxInFlight), stages } };
}

function validPlanOrNull(plan: Plan): Plan | null {
  return checkPlan(plan).some(({ level }) => level === 'error') ? null : plan;
}

/** Makes a stage longer at the same rate. */
function lengthenRate(stage: ArrivalsStage, longer: (seconds: number) => number, factor: number): ArrivalsStage {
  switch (stage.kind) {
    case 'count':
      return { ...stage, arrivals: roundWithin(stage.arrivals * factor, MAX_REQUESTS), seconds: longer(stage.seconds) };
    case 'steps':
      return { ...stage, secondsEach: longer(stage.secondsEach) };
    case 'spike':
      return {
        ...stage,
        secondsBefore: longer(stage.secondsBefore),
        rampSeconds: longer(stage.rampSeconds),
        peakSeconds: longer(stage.peakSeconds),
        secondsAfter: longer(stage.secondsAfter),
      };
    case 'constant':
    case 'ramp':
    case 'pause':
      return { ...stage, seconds: longer(stage.seconds) };
    default:
      return stage satisfies never;
  }
}

function roundWithin(amount: number, maximum: number): number {
  return Math.min(maximum, Math.max(1, Math.round(amount)));
}

export function setThreads(plan: Plan, threads: number): Plan {
  return { ...plan, threads: Math.min(64, threads) };
}

export function removeVisits({ watchPages: _pages, ...plan }: Plan): Plan {
  return { ...plan, criteria: plan.criteria.filter((criterion) => !('of' in criterion && criterion.of === 'visits')) };
}

/** Returns the plan with criteria that suit most pages. If no stage is counted, counts all of them. */
export function setLimits(plan: Plan): Plan {
  const counted = plan.load.stages.some((stage) => stage.counted);
  return {
    ...(counted ? plan : mapStages(plan, (stage) => ('kind' in stage && stage.kind === 'pause' ? stage : { ...stage, counted: true }))),
    criteria: [
      { kind: 'responseTime', percentile: 95, maxMs: 1_000 },
      { kind: 'errors', maxShare: 0.01 },
    ],
  };
}

/** Changes each stage of a plan. Parses the plan again, because types cannot express that a changed stage still fits the load model. */
function mapStages(plan: Plan, change: (stage: Stage, index: number) => Stage): Plan {
  return planSchema.parse({ ...plan, load: { ...plan.load, stages: plan.load.stages.map(change) } });
}
