import { MAX_CONNECTIONS, MAX_REQUESTS, MAX_STAGE_SECONDS, type Objective, type Plan, type Stage } from '../plan/schema.ts';

/** The largest number of connections of any counted stage (of any stage when none is counted). */
export function highestConnections(plan: Plan): number {
  const counted = plan.load.stages.filter((stage) => stage.counted);
  return Math.max(...(counted.length > 0 ? counted : plan.load.stages).map((stage) => stage.connections));
}

/** The plan with every stage's connections multiplied; null when that changes nothing. Never more connections than requests. */
export function withConnections(plan: Plan, factor: number): Plan | null {
  const steps = plan.journey.length;
  const changed = mapStages(plan, (stage) => {
    const connections = Math.min(MAX_CONNECTIONS, Math.max(1, Math.round(stage.connections * factor)));
    if (stage.requests === undefined || stage.requests >= connections) return { ...stage, connections };
    return { ...stage, connections, requests: Math.ceil(connections / steps) * steps };
  });
  return highestConnections(changed) === highestConnections(plan) ? null : changed;
}

/** The plan with its counted stages lasting `factor` times as long, in requests or in seconds. */
export function withLonger(plan: Plan, factor: number): Plan {
  const steps = plan.journey.length;
  return mapStages(plan, (stage) => {
    if (!stage.counted) return stage;
    if (stage.requests !== undefined)
      return { ...stage, requests: Math.min(Math.floor(MAX_REQUESTS / steps) * steps, stage.requests * factor) };
    return stage.seconds === undefined ? stage : { ...stage, seconds: Math.min(MAX_STAGE_SECONDS, stage.seconds * factor) };
  });
}

export function withMoreThreads(plan: Plan, threads: number): Plan {
  return { ...plan, threads: Math.min(64, threads) };
}

/** The plan with limits that suit most pages. A plan without a counted stage gets all of them counted. */
export function withLimits(plan: Plan): Plan {
  const counted = plan.load.stages.some((stage) => stage.counted);
  return {
    ...(counted ? plan : mapStages(plan, (stage) => ({ ...stage, counted: true }))),
    objectives: [
      { kind: 'responseTime', percentile: 95, limitMs: 1_000 },
      { kind: 'errors', maxShare: 0.01 },
    ],
  };
}

/** An objective that no number of requests can prove, because it allows no failure at all. */
export function provesNothing(objective: Objective): boolean {
  return objective.kind === 'errors' && objective.maxShare === 0;
}

/** The plan with 1 failure in 1,000 allowed where it allowed none. */
export function withSomeFailures(plan: Plan): Plan {
  return {
    ...plan,
    objectives: plan.objectives.map((objective) => (provesNothing(objective) ? { ...objective, maxShare: 0.001 } : objective)),
  };
}

function mapStages(plan: Plan, change: (stage: Stage) => Stage): Plan {
  return { ...plan, load: { ...plan.load, stages: plan.load.stages.map(change) } };
}
