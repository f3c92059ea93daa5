import { joinNames } from '#core/plan/hosts/generatorNames.ts';
import { THIS_COMPUTER } from '#core/plan/schema/hosts.ts';
import type { OverloadCause } from '#core/measurement/window.ts';
import type { Finding, RunResult } from './schema.ts';
import { formatSeconds } from '#core/base/units.ts';

type Generator = RunResult['generators'][number];

/** Returns the names of the load generators as text: "this computer", "web1 and web2". */
export function generatorNames(generators: readonly Pick<Generator, 'name'>[]): string {
  return generators.length === 0 ? THIS_COMPUTER : joinNames(generators.map(({ name }) => name));
}

/** Returns the names of the overloaded generators, for the given cause or any; of all generators if the readings do not show which. */
export function formatOverloadedNames(
  generators: readonly Pick<Generator, 'name' | 'overloadedSeconds' | 'readings'>[],
  cause?: OverloadCause,
): string {
  return generatorNames(listOverloadedGenerators(generators, cause));
}

/** Returns a clause such as "this computer was overloaded" or "web1 and web2 were overloaded". */
export function formatOverload(
  generators: readonly Pick<Generator, 'name' | 'overloadedSeconds' | 'readings'>[],
  cause?: OverloadCause,
): string {
  const { length } = listOverloadedGenerators(generators, cause);
  return `${formatOverloadedNames(generators, cause)} ${length > 1 ? 'were' : 'was'} overloaded`;
}

export function listOverloadedGenerators<Made extends Pick<Generator, 'overloadedSeconds' | 'readings'>>(
  generators: readonly Made[],
  cause?: OverloadCause,
): readonly Made[] {
  return selectUnlessAll(generators, ({ overloadedSeconds, readings }) =>
    cause === undefined ? overloadedSeconds > 0 : readings.some(({ overloadedBy }) => overloadedBy.includes(cause)),
  );
}

/** Returns the names of the generators that could not start all planned arrivals; of all generators if these are unknown. */
export function formatLateNames(generators: readonly Pick<Generator, 'name' | 'figures'>[]): string {
  return generatorNames(selectUnlessAll(generators, ({ figures }) => figures !== null && figures.notStartedGenerator > 0));
}

function selectUnlessAll<Made>(generators: readonly Made[], wanted: (generator: Made) => boolean): readonly Made[] {
  const found = generators.filter(wanted);
  return found.length === 0 ? generators : found;
}

/** Text for each cause of an overload, which follows “because” or a colon, and its remedy. */
export const OVERLOAD_WORDS: Readonly<Record<OverloadCause, { readonly what: string; readonly remedy: string }>> = {
  threadCpu: {
    what: 'a thread that sends requests was fully busy',
    remedy: 'Use more threads if cores are idle, fewer connections, or a second machine.',
  },
  threadWait: {
    what: 'other programs kept a thread that sends requests from running',
    remedy: 'Close other programs there, or use a dedicated machine.',
  },
  eventLoopDelay: {
    what: 'a thread that sends requests was blocked',
    remedy: 'Close other programs there, or use more threads or a second machine.',
  },
  steal: { what: 'the hypervisor took processor time away', remedy: 'Repeat the test at a quieter time or on a dedicated machine.' },
  scheduleLag: { what: 'requests started later than planned', remedy: 'Use more threads, or a second machine.' },
  standstill: {
    what: 'the load generator stood still',
    remedy: 'Keep the machine from sleeping (lid open, power plugged in) and Holdfast from being stopped, then run the test again.',
  },
  browser: {
    what: 'a visit with the browser used processors that the load needed',
    remedy: 'Send the load from another machine, watch from one, or watch no pages.',
  },
  noPort: {
    what: 'no port was left for new connections',
    remedy: 'Keep connections open (keep-alive), widen the port range, or use a second machine.',
  },
  noFile: {
    what: 'the limit of open files was reached',
    remedy: 'Raise it (ulimit -n): here before you start Holdfast, on a host for its user.',
  },
};

/**
 * Returns a line per cause of a finding with several causes: duration, cause, load generators, and remedy. Empty for a single cause,
 * because the sentence of the finding states it.
 */
export function causeLines({ causes = [] }: Pick<Finding, 'causes'>): string[] {
  if (causes.length < 2) return [];
  return causes.map(({ cause, seconds, generators }) => {
    const { what, remedy } = OVERLOAD_WORDS[cause];
    const where = generators === undefined ? '' : `, on ${joinNames(generators)}`;
    return `${formatSeconds(seconds)}: ${what}${where}. ${remedy}`;
  });
}
