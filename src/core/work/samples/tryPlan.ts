import { z } from 'zod';
import { buildFlow, stepsPerJourney } from '../journey/flow/executions.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { sampleSchema } from './schema.ts';
import type { Choose, FlowPart, ForEach, Repeat } from '#core/plan/schema/flow.ts';

const MAX_SECONDS = 120;
const MAX_RESPONSE_SECONDS = 30;
/** Maximum time for listening to a stream. A stream without events is valid, because events depend on activity. */
const MAX_LISTENING_SECONDS = 2;

/** Result of a trial, which is neither counted nor stored. */
export const tryReportSchema = z.strictObject({
  samples: z.array(sampleSchema),
  /** Whether every step ran and every response was successful. */
  isGood: z.boolean(),
  notReached: z.array(z.string()),
  /** Why the journey could not run; null if it ran. */
  problem: z.strictObject({ code: z.string(), message: z.string(), hint: z.string() }).nullable(),
});
export type TryReport = z.infer<typeof tryReportSchema>;

/**
 * Returns the plan with one user who runs the journey once, without pauses, at the first target. If the plan has choices, further users run
 * until each choice was taken. Background requests are sent once: at the end of the part of the flow that starts them, or else at the end
 * of the journey.
 */
export function tryPlan(plan: Plan): Plan {
  const { safety, targets } = plan;
  const tried: Plan = {
    ...plan,
    targets: targets.slice(0, 1),
    journey: plan.journey.map(({ thinkTime: _pause, background: _interval, budgetMs: _budget, stream, ...step }) =>
      stream === undefined ? step : { ...step, stream: { ...stream, seconds: MAX_LISTENING_SECONDS, beside: false } },
    ),
    criteria: [],
    safety: { errorWindowSeconds: safety.errorWindowSeconds, maxSeconds: MAX_SECONDS },
    engine: 'native',
    threads: 1,
    timeoutSeconds: Math.min(plan.timeoutSeconds, MAX_RESPONSE_SECONDS),
  };
  const backgroundNames = plan.journey.flatMap(({ name, background }) => (background === undefined ? [] : [name]));
  if (plan.flow === undefined && backgroundNames.length === 0) {
    const load: Plan['load'] = { model: 'connections', stages: [{ connections: 1, requests: 1, counted: true }] };
    const requests = stepsPerJourney({ ...tried, load }, 0);
    return { ...tried, load: { model: 'connections', stages: [{ connections: 1, requests, counted: true }] } };
  }
  const { flow, stages } = computeTours(buildFlow(plan));
  return {
    ...tried,
    flow: [
      ...addBackground(flow, plan),
      ...plan.journey.flatMap(({ name, background }) => (background?.after === undefined && background ? [name] : [])),
    ],
    load: { model: 'connections', stages: stages.map((name) => ({ name, connections: 1, requests: 1, counted: true })) },
  };
}

/**
 * Adds each background request that begins after a step to the end of the part of the flow with that step, because other users never begin
 * it.
 */
function addBackground(flow: readonly FlowPart[], plan: Pick<Plan, 'journey'>): FlowPart[] {
  const inner = flow.map((part): FlowPart => {
    if (typeof part === 'string') return part;
    if ('choose' in part) return { choose: part.choose.map((choice) => ({ ...choice, flow: addBackground(choice.flow, plan) })) };
    return { ...part, flow: addBackground(part.flow, plan) };
  });
  const begun = plan.journey.flatMap(({ name, background }) =>
    background?.after !== undefined && flow.includes(background.after) ? [name] : [],
  );
  return [...inner, ...begun];
}

/** Maximum number of tours. Together they take every choice, and all of them are shown to the user. */
const MAX_TOURS = 50;

/** The option taken at each choice, by tour. */
type TakenChoices = Map<Choose, Map<number, number>>;

/** A flow for a trial: the stage determines all choices, repetitions run once, and lists have one item. */
interface Tours {
  readonly flow: FlowPart[];
  /** Names of the stages, each with one tour. */
  readonly stages: readonly string[];
}

/** Returns tours that each take one untried choice, until all choices were taken. Choices with weight 0 are left out. */
export function computeTours(flow: readonly FlowPart[]): Tours {
  const taken: TakenChoices = new Map();
  const stages: string[] = [];
  do {
    choosePath(flow, taken, stages.length);
    stages.push(`way ${stages.length + 1}`);
  } while (!isCovered(flow, taken) && stages.length < MAX_TOURS);
  const fixParts = (parts: readonly FlowPart[]): FlowPart[] => parts.map((part) => fixPart(part));
  const fixPart = (part: FlowPart): FlowPart => {
    if (typeof part === 'string') return part;
    if ('repeat' in part) return { repeat: countRounds(part), flow: fixParts(part.flow) };
    if ('forEach' in part) return { ...part, atMost: 1, flow: fixParts(part.flow) };
    const ways = taken.get(part);
    return {
      choose: part.choose.map((choice, index) => ({
        weight: 0,
        flow: fixParts(choice.flow),
        weightIn: Object.fromEntries(stages.map((stage, position) => [stage, ways?.get(position) === index ? 1 : 0])),
      })),
    };
  };
  return { flow: fixParts(flow), stages };
}

/** Chooses the path of one tour and records the choices. */
function choosePath(flow: readonly FlowPart[], taken: TakenChoices, tour: number): void {
  for (const part of flow) {
    if (typeof part === 'string') continue;
    if (!('choose' in part)) {
      if (!isLeftOut(part)) choosePath(part.flow, taken, tour);
      continue;
    }
    const ways = taken.get(part) ?? new Map<number, number>();
    taken.set(part, ways);
    const possible = listPossible(part);
    const chosen = possible[ways.size % Math.max(1, possible.length)];
    if (chosen === undefined) continue;
    ways.set(tour, chosen);
    choosePath(part.choose[chosen]?.flow ?? [], taken, tour);
  }
}

function isCovered(flow: readonly FlowPart[], taken: TakenChoices): boolean {
  return flow.every((part) => {
    if (typeof part === 'string') return true;
    if (!('choose' in part)) return isLeftOut(part) || isCovered(part.flow, taken);
    const seen = new Set(taken.get(part)?.values());
    return listPossible(part).every((index) => seen.has(index) && isCovered(part.choose[index]?.flow ?? [], taken));
  });
}

function listPossible({ choose }: Choose): number[] {
  return choose.flatMap(({ weight, weightIn }, index) =>
    weight > 0 || Object.values(weightIn ?? {}).some((other) => other > 0) ? [index] : [],
  );
}

function isLeftOut(part: Repeat | ForEach): boolean {
  return 'repeat' in part && countRounds(part) === 0;
}

function countRounds({ repeat }: Repeat): number {
  return Math.min(1, typeof repeat === 'number' ? repeat : repeat.to);
}
