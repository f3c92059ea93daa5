import { toProblem } from '#core/base/errors.ts';
import type { EngineName } from '#core/review/engines/engineFor.ts';
import type { SelfTestCheck, SelfTestFact } from '#core/measurement/selfTest/report.ts';
import { OVERLOAD_CAUSES } from '#core/measurement/window.ts';
import { withStealGate } from '#engine/procFiles.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { addInto, createTotalHistogram, percentileRank } from '#core/statistics/histogram.ts';
import { measure, type MeasuredLoad, type MeasureParts, selfTestPlan, throwIfStopped } from '../measure.ts';
import type { ServerProcess } from '../serverProcess.ts';
import { freeze, PAUSE, findThaw } from '../behaviours/registry.ts';
import { countFact, countFacts, percentileOf, timeFact, timeFacts } from './facts.ts';

export interface CheckParts extends MeasureParts {
  readonly server: ServerProcess;
  readonly quick: boolean;
  readonly requests?: number | undefined;
}

export interface Comparison {
  readonly measured: MeasuredLoad;
  readonly facts: readonly SelfTestFact[];
}

export interface EngineCheck extends Pick<SelfTestCheck, 'id' | 'title' | 'story'> {
  readonly engine: EngineName;
  /** Measures, and compares the engine's values with the server's own. */
  compare(parts: CheckParts): Promise<Comparison>;
}

/**
 * Runs one check. Times may be measured again if the hypervisor stole processor time, but a wrong count always fails. A check that could
 * not run fails with the reason. Throws `CANCELLED` if the self-test was stopped.
 */
export async function runCheck({ id, title, story, engine, compare }: EngineCheck, parts: CheckParts): Promise<SelfTestCheck> {
  const check = { id, title, story, engine };
  try {
    const { result, ...gate } = await withStealGate(
      () => compare(parts),
      ({ facts }) => facts.some(isWrongTime) && !facts.some(isWrongCount),
    );
    const { measured, facts } = result;
    const { engineVersion, end, windows } = measured;
    const passed = end.reason === 'completed' && facts.every((fact) => fact.passed);
    const overloadedBy = OVERLOAD_CAUSES.filter((cause) => windows.some((window) => window.overloadedBy.includes(cause)));
    return { ...check, engineVersion, facts: [...facts], passed, ...gate, overloadedBy, problem: end.problem?.message ?? null };
  } catch (thrown) {
    throwIfStopped(parts.signal);
    const nothing = { facts: [], passed: false, repeats: 0, steal: null, processorUse: null, overloadedBy: [] };
    return { ...check, engineVersion: '', ...nothing, problem: toProblem(thrown).message };
  }
}

function isWrongTime({ kind, passed }: SelfTestFact): boolean {
  return kind === 'time' && !passed;
}

function isWrongCount({ kind, passed }: SelfTestFact): boolean {
  return kind === 'count' && !passed;
}

const ARRIVALS_PER_SECOND = 200;
/** Length of the run: one period of the freeze. Wherever it begins, 20 % of the arrivals fall into the freeze. */
const RUN_SECONDS = PAUSE.periodUs / 1_000_000;
const MAX_DEVIATION_SHARE = 0.03;

/** The check of the open model. The effect of the freeze on the response time is computed from the schedule, for each arrival. */
export const freezeUnderArrivals: EngineCheck = {
  id: 'freezeUnderArrivals',
  title: `${freeze.title}, under arrivals`,
  story: `${ARRIVALS_PER_SECOND} arrivals a second continue while no response is sent for a second. Those who arrive then wait, and their response time must include the wait.`,
  engine: 'native',
  async compare(parts) {
    const open = await parts.server.open(freeze.id);
    const measured = await measure(arrivalsPlan(open.url), parts);
    const truth = await open.close();
    const exactUs = exactPercentileUs(99);
    return {
      measured,
      facts: [
        countFact('arrivals of the plan', measured.cell.started, ARRIVALS_PER_SECOND * RUN_SECONDS),
        ...countFacts(measured, truth),
        ...timeFacts(measured, truth),
        timeFact('response time p99, from the schedule', responsePercentile(measured, 99), exactUs, MAX_DEVIATION_SHARE * exactUs),
      ],
    };
  },
};

function arrivalsPlan(url: string): Plan {
  return selfTestPlan(url, {
    engine: 'native',
    timeoutSeconds: 20,
    load: { model: 'arrivals', spacing: 'uniform', stages: [{ kind: 'constant', perSecond: ARRIVALS_PER_SECOND, seconds: RUN_SECONDS }] },
  });
}

/** Returns the nearest-rank percentile over all planned arrivals. The first arrival is at 0, where the server's schedule begins too. */
export function exactPercentileUs(percentile: number): number {
  const responses = Array.from({ length: ARRIVALS_PER_SECOND * RUN_SECONDS }, (_, index) => {
    const atUs = (index * 1_000_000) / ARRIVALS_PER_SECOND;
    return findThaw(atUs + PAUSE.usualUs, PAUSE) - atUs;
  });
  responses.sort((a, b) => a - b);
  return responses[percentileRank(percentile, responses.length) - 1] ?? Number.NaN;
}

function responsePercentile({ cell: { times } }: MeasuredLoad, percentile: number): number | null {
  const all = createTotalHistogram();
  for (const histogram of [times.responseOk, times.responseFailed]) if (histogram) addInto(all, histogram);
  return percentileOf(all, percentile);
}
