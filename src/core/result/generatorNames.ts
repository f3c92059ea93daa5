import { inARow } from '#core/plan/hosts/places.ts';
import { THIS_COMPUTER } from '#core/plan/schema/hosts.ts';
import type { SickCause } from '#core/measurement/window.ts';
import type { RunResult } from './schema.ts';

type Generator = RunResult['generators'][number];

/** Who made the load, as a sentence names them: "this computer", "web1 and web2". */
export function generatorNames(generators: readonly Pick<Generator, 'name'>[]): string {
  return generators.length === 0 ? THIS_COMPUTER : inARow(generators.map(({ name }) => name));
}

/** Those of them that did not keep up, for this cause or for any; all of them where their readings do not tell. */
export function sickGeneratorNames(generators: readonly Pick<Generator, 'name' | 'sickSeconds' | 'readings'>[], cause?: SickCause): string {
  return generatorNames(sickGenerators(generators, cause));
}

/** The same in a clause: "this computer was overloaded", "web1 and web2 were overloaded". */
export function overloadWords(generators: readonly Pick<Generator, 'name' | 'sickSeconds' | 'readings'>[], cause?: SickCause): string {
  const { length } = sickGenerators(generators, cause);
  return `${sickGeneratorNames(generators, cause)} ${length > 1 ? 'were' : 'was'} overloaded`;
}

/** The same, themselves and not their names. */
export function sickGenerators<Made extends Pick<Generator, 'sickSeconds' | 'readings'>>(
  generators: readonly Made[],
  cause?: SickCause,
): readonly Made[] {
  return someOf(generators, ({ sickSeconds, readings }) =>
    cause === undefined ? sickSeconds > 0 : readings.some(({ sick }) => sick.includes(cause)),
  );
}

/** Those of them that could not begin what was due; all of them where that is not known of each. */
export function lateGeneratorNames(generators: readonly Pick<Generator, 'name' | 'figures'>[]): string {
  return generatorNames(someOf(generators, ({ figures }) => figures !== null && figures.notStartedGenerator > 0));
}

function someOf<Made>(generators: readonly Made[], wanted: (generator: Made) => boolean): readonly Made[] {
  const found = generators.filter(wanted);
  return found.length === 0 ? generators : found;
}
