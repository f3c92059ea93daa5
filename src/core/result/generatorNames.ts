import { inARow } from '#core/plan/hosts/places.ts';
import { THIS_COMPUTER } from '#core/plan/schema/hosts.ts';
import type { SickCause } from '#core/measurement/window.ts';
import type { RunResult } from './schema.ts';

type Generator = RunResult['generators'][number];

/** Names the load generators: "this computer", "web1 and web2". */
export function generatorNames(generators: readonly Pick<Generator, 'name'>[]): string {
  return generators.length === 0 ? THIS_COMPUTER : inARow(generators.map(({ name }) => name));
}

/** Names the generators that were overloaded, for this cause or any; all of them if their readings do not show it. */
export function sickGeneratorNames(generators: readonly Pick<Generator, 'name' | 'sickSeconds' | 'readings'>[], cause?: SickCause): string {
  return generatorNames(sickGenerators(generators, cause));
}

/** Example: "this computer was overloaded", "web1 and web2 were overloaded". */
export function overloadWords(generators: readonly Pick<Generator, 'name' | 'sickSeconds' | 'readings'>[], cause?: SickCause): string {
  const { length } = sickGenerators(generators, cause);
  return `${sickGeneratorNames(generators, cause)} ${length > 1 ? 'were' : 'was'} overloaded`;
}

/** Returns the overloaded generators themselves. */
export function sickGenerators<Made extends Pick<Generator, 'sickSeconds' | 'readings'>>(
  generators: readonly Made[],
  cause?: SickCause,
): readonly Made[] {
  return someOf(generators, ({ sickSeconds, readings }) =>
    cause === undefined ? sickSeconds > 0 : readings.some(({ sick }) => sick.includes(cause)),
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
