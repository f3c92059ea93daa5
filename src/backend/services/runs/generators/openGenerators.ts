import { HoldfastError } from '#core/base/errors.ts';
import { isHere } from '#core/plan/schema/hosts.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { findBrowserHost } from '#core/plan/watchPages.ts';
import { addNames } from '#core/base/foreignNames.ts';
import type { EngineEnd } from '#engine/engine.ts';
import type { LoadGenerator } from '../loadGenerator.ts';

/**
 * Opens the named generators. `here` is this computer, which is also the default. They are opened one after the other, so that the user
 * gets one question at a time. Throws `PLACE_TWICE`, or the error from opening a host; all generators are closed then.
 */
export async function openGenerators(
  names: readonly string[] | undefined,
  here: LoadGenerator,
  openHost: (name: string) => Promise<LoadGenerator>,
): Promise<LoadGenerator[]> {
  if (names === undefined) return [here];
  requireDifferent(names);
  const generators: LoadGenerator[] = [];
  try {
    for (const name of names) generators.push(isHere(name) ? here : await openHost(name));
    return generators;
  } catch (thrown) {
    for (const generator of generators) generator.close();
    throw thrown;
  }
}

/**
 * Connects to the hosts among these generators and disconnects again, so that their questions are asked before the first of many loads.
 * Throws the errors of `openGenerators`.
 */
export async function enterHosts(
  names: readonly string[],
  openHost: (name: string) => Promise<Pick<LoadGenerator, 'close'>>,
): Promise<void> {
  requireDifferent(names);
  for (const name of names) if (!isHere(name)) (await openHost(name)).close();
}

/** Connects to the host of a plan's visiting browser, and disconnects again. Throws the errors from connecting. */
export async function enterBrowserHost(plan: Plan, enterHost: (name: string) => Promise<Pick<LoadGenerator, 'close'>>): Promise<void> {
  const host = findBrowserHost(plan);
  if (host !== null) (await enterHost(host)).close();
}

/** Returns the host names of these generators in order, with null for this computer. */
export function generatorHosts(names: readonly string[] | undefined): (string | null)[] {
  return names === undefined ? [null] : names.map((name) => (isHere(name) ? null : name));
}

function requireDifferent(names: readonly string[]): void {
  const twice = names.find((name, index) => names.some((other, before) => before < index && isSameName(name, other)));
  if (twice !== undefined) throw generatorTwice(twice);
}

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function generatorTwice(name: string): HoldfastError {
  return new HoldfastError({
    code: 'PLACE_TWICE',
    message: `${name} is named twice.`,
    hint: 'Name each load generator once. For more threads there, set the threads of the plan.',
  });
}

/** Merges the ends of one or more generators into the end of their run. */
export function mergeEnds(ends: readonly EngineEnd[]): Omit<EngineEnd, 'reason' | 'problem'> {
  const length = Math.max(0, ...ends.map(({ firstBodyLengths }) => firstBodyLengths.length));
  return {
    endedAtSecond: Math.max(0, ...ends.map(({ endedAtSecond }) => endedAtSecond)),
    firstBodyLengths: Array.from({ length }, (_, step) => findFirstKnown(ends.map(({ firstBodyLengths }) => firstBodyLengths[step]))),
    serverSoftware: findFirstKnown(ends.map(({ serverSoftware }) => serverSoftware)),
    addresses: addNames(ends.map(({ addresses }) => addresses)),
    silentAddresses: addNames(ends.map(({ silentAddresses }) => silentAddresses)),
    leftOut: addNames(ends.map(({ leftOut }) => leftOut)),
    stages: mergeStages(ends.map(({ stages }) => stages)),
  };
}

/** Merges the times of each stage: a stage lasts from its first start to its last end. */
function mergeStages(ofAll: readonly EngineEnd['stages'][]): EngineEnd['stages'] {
  const length = Math.max(0, ...ofAll.map((stages) => stages.length));
  return Array.from({ length }, (_, stage) => {
    const reached = ofAll.flatMap((stages) => stages[stage] ?? []);
    return {
      startedAtSecond: Math.min(...reached.map(({ startedAtSecond }) => startedAtSecond)),
      endedAtSecond: Math.max(...reached.map(({ endedAtSecond }) => endedAtSecond)),
    };
  });
}

function findFirstKnown<Value>(values: readonly (Value | null | undefined)[]): Value | null {
  return values.find((value) => value !== null && value !== undefined) ?? null;
}
