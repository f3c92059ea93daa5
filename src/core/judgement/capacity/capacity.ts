import { headroomOf } from './headroom.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { Demand } from '#core/plan/schema/demand.ts';
import { bestCycle, cyclesOf, type Cycle } from './cycles.ts';
import type { Headroom } from './demand.ts';
import { levelsOfRun, type LevelSet } from './levels.ts';
import { scalingOf, type Scaling } from './scaling.ts';

/** One set of levels and what can be read off it. */
export interface ScaledSet {
  readonly set: LevelSet;
  readonly scaling: Scaling;
}

/** How much something can do, as far as a run or a series tells. */
export interface Capacity {
  readonly sets: readonly ScaledSet[];
  /** Of a run: its counted stages with a number of users or connections. Empty for a series, whose table they are. */
  readonly cycles: readonly Cycle[];
  readonly best: Cycle | null;
  readonly headroom: Headroom | null;
}

/** Findings that say that a rate was not the server's. */
const NOT_THE_SERVER = ['generatorLimited', 'portsExhausted', 'bandwidthBound'] as const;

type Run = Pick<RunResult, 'stages' | 'pages' | 'windows' | 'objectives' | 'plan' | 'findings'>;

/** Of a run; `demand` instead of the one in its plan. */
export function capacityOfRun(run: Run, demand: Demand | undefined = run.plan.demand): Capacity {
  const set = levelsOfRun(run);
  const isAnothers = run.findings.some(({ id }) => NOT_THE_SERVER.some((name) => id === name || id.startsWith(`${name}.`)));
  const judged = set === null ? null : isAnothers ? { ...set, levels: set.levels.map((level) => ({ ...level, isDoubted: true })) } : set;
  const cycles = cyclesOf(run);
  return {
    sets: judged === null ? [] : [{ set: judged, scaling: scalingOf(judged) }],
    cycles,
    best: cycles.length < 2 ? null : bestCycle(cycles),
    headroom: headroomOf({ ...run, plan: { ...run.plan, demand } }, run.objectives),
  };
}

/** Whether there is anything to tell beside the figures that stand elsewhere. */
export function hasCapacity({ sets, headroom, cycles }: Capacity): boolean {
  return sets.length > 0 || headroom !== null || cycles.length > 1;
}
