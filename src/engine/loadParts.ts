import { availableParallelism } from 'node:os';
import { levelOf, maxInFlightOf } from '#core/work/load/stages.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { HoldfastError } from '#core/base/errors.ts';
import type { LoadPart } from '#core/work/load/part.ts';

const MOST_THREADS = 64;

/** Worker threads for a plan: its own wish, else all cores but one; never more than it has connections or users. */
export function threadCount(plan: Plan, cores: number = availableParallelism()): number {
  return Math.min(mostThreads(plan), plan.threads ?? Math.max(1, cores - 1));
}

/** As many threads as can have something to do. */
export function mostThreads(plan: Plan): number {
  return Math.max(
    ...plan.load.stages.map((stage) => levelOf(stage)).map(({ unit, highest }) => (unit === 'arrivalsPerSecond' ? MOST_THREADS : highest)),
  );
}

/**
 * The parts of several generators with these numbers of cores, one for each. All have the same number of threads, that of the weakest, so that
 * places are compared under the same load. Throws `TOO_FEW_FOR_GENERATORS` when the plan has less than one of something for each.
 */
export function loadParts(plan: Plan, cores: readonly number[]): LoadPart[] {
  const generators = cores.length;
  const short = tooFew(plan, generators);
  if (short !== null) throw tooFewForGenerators(short, generators);
  const wanted = Math.min(...cores.map((own) => threadCount(plan, own)));
  const threads = Math.max(1, Math.min(wanted, Math.floor(mostThreads(plan) / generators)));
  return cores.map((_, generator) => ({ generator, generators, threads }));
}

/** What there is less of than generators, in words; null when there is enough of everything. */
function tooFew(plan: Plan, generators: number): string | null {
  const { load, safety } = plan;
  const most = mostThreads(plan);
  if (most < generators) return `${most} ${load.model}`;
  if (safety.maxRequests !== undefined && safety.maxRequests < generators) return `${safety.maxRequests} requests`;
  if (load.model !== 'arrivals') return null;
  const leastInFlight = Math.min(...load.stages.map((stage) => maxInFlightOf(load, stage)));
  return leastInFlight < generators ? `${leastInFlight} journeys in flight at a time` : null;
}

function tooFewForGenerators(short: string, generators: number): HoldfastError {
  return new HoldfastError({
    code: 'TOO_FEW_FOR_GENERATORS',
    message: `The plan has at most ${short}, which cannot be divided among ${generators} load generators.`,
    hint: 'Use fewer load generators, or more load.',
  });
}
