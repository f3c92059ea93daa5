import { formatSeconds } from '#core/base/units.ts';
import { inARow } from '#core/plan/hosts/places.ts';
import type { OverloadCause } from '#core/measurement/window.ts';
import type { Finding } from './schema.ts';

/** Describes each cause of an overload after “because” or a colon, with its remedy. */
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
  steal: {
    what: 'the hypervisor took processor time away',
    remedy: 'Repeat the test at a quieter time or on a dedicated machine.',
  },
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
 * Returns a line per cause of a finding with several causes: duration, cause, load generators, and remedy. A single cause is in the sentence of the finding.
 */
export function causeLines({ causes = [] }: Pick<Finding, 'causes'>): string[] {
  if (causes.length < 2) return [];
  return causes.map(({ cause, seconds, generators }) => {
    const { what, remedy } = OVERLOAD_WORDS[cause];
    const where = generators === undefined ? '' : `, on ${inARow(generators)}`;
    return `${formatSeconds(seconds)}: ${what}${where}. ${remedy}`;
  });
}
