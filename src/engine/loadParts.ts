import { availableParallelism } from 'node:os';
import { levelOf, maxInFlightOf } from '#core/work/load/stages.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { HoldfastError } from '#core/base/errors.ts';
import type { LoadPart } from '#core/work/load/part.ts';

const MAX_THREADS = 64;

/**
 * Returns the number of worker threads: the number in the plan, or the number of cores minus one. It is never larger than the number of
 * connections or users.
 */
export function threadCount(plan: Plan, cores: number = availableParallelism()): number {
  return Math.min(maxThreads(plan), plan.threads ?? Math.max(1, cores - 1));
}

/** Returns the maximum number of threads among which the load can be divided. */
export function maxThreads(plan: Plan): number {
  return Math.max(
    ...plan.load.stages.map((stage) => levelOf(stage)).map(({ unit, highest }) => (unit === 'arrivalsPerSecond' ? MAX_THREADS : highest)),
  );
}

/**
 * Returns one part of the load for each load generator, given their numbers of cores. All get the same number of threads, that of the
 * weakest, so that their results are comparable.
 * @throws `TOO_FEW_FOR_GENERATORS` if the plan has less than one connection, journey or request for each load generator.
 */
export function loadParts(plan: Plan, cores: readonly number[]): LoadPart[] {
  const generators = cores.length;
  const shortage = describeShortage(plan, generators);
  if (shortage !== null) throw tooFewForGeneratorsError(shortage, generators);
  const wanted = Math.min(...cores.map((own) => threadCount(plan, own)));
  const threads = Math.max(1, Math.min(wanted, Math.floor(maxThreads(plan) / generators)));
  return cores.map((_, generator) => ({ generator, generators, threads }));
}

/** Describes what the plan has too little of for all load generators; null if it has enough. */
function describeShortage(plan: Plan, generators: number): string | null {
  const { load, safety } = plan;
  const maxCount = maxThreads(plan);
  if (maxCount < generators) return `${maxCount} ${load.model}`;
  if (safety.maxRequests !== undefined && safety.maxRequests < generators) return `${safety.maxRequests} requests`;
  if (load.model !== 'arrivals') return null;
  const minInFlight = Math.min(...load.stages.map((stage) => maxInFlightOf(load, stage)));
  return minInFlight < generators ? `${minInFlight} journeys in flight at a time` : null;
}

function tooFewForGeneratorsError(shortage: string, generators: number): HoldfastError {
  return new HoldfastError({
    code: 'TOO_FEW_FOR_GENERATORS',
    message: `The plan has at most ${shortage}, which cannot be divided among ${generators} load generators.`,
    hint: 'Use fewer load generators, or more load.',
  });
}
