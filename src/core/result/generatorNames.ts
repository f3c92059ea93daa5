import { inARow } from '#core/plan/hosts/places.ts';
import { THIS_COMPUTER } from '#core/plan/schema/hosts.ts';
import type { OverloadCause } from '#core/measurement/window.ts';
import type { RunResult } from './schema.ts';

type Generator = RunResult['generators'][number];

/** Names the load generators: "this computer", "web1 and web2". */
export function generatorNames(generators: readonly Pick<Generator, 'name'>[]): string {
  return generators.length === 0 ? THIS_COMPUTER : inARow(generators.map(({ name }) => name));
}

/** Names the generators that were overloaded, for this cause or any; all of them if their readings do not show it. */
export function overloadedGeneratorNames(
  generators: readonly Pick<Generator, 'name' | 'overloadedSeconds' | 'readings'>[],
  cause?: OverloadCause,
): string {
  return generatorNames(overloadedGenerators(generators, cause));
}

/** Example: "this computer was overloaded", "web1 and web2 were overloaded". */
export function overloadWords(
  generators: readonly Pick<Generator, 'name' | 'overloadedSeconds' | 'readings'>[],
  cause?: OverloadCause,
): string {
  const { length } = overloadedGenerators(generators, cause);
  return `${overloadedGeneratorNames(generators, cause)} ${length > 1 ? 'were' : 'was'} overloaded`;
}

/** Returns the overloaded generators themselves. */
export function overloadedGenerators<Made extends Pick<Generator, 'overloadedSeconds' | 'readings'>>(
  generators: readonly Made[],
  cause?: OverloadCause,
): readonly Made[] {
  return someOf(generators, ({ overloadedSeconds, readings }) =>
    cause === undefined ? overloadedSeconds > 0 : readings.some(({ overloadedBy }) => overloadedBy.includes(cause)),
  );
}

/** Names the generators that could not start what was due; all of them if unknown. */
export function lateGeneratorNames(generators: readonly Pick<Generator, 'name' | 'figures'>[]): string {
  return generatorNames(someOf(generators, ({ figures }) => figures !== null && figures.notStartedGenerator > 0));
}

function someOf<Made>(generators: readonly Made[], wanted: (generator: Made) => boolean): readonly Made[] {
  const found = generators.filter(wanted);
  return found.length === 0 ? generators : found;
}
