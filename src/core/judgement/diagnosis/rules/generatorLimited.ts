import { sickMakers } from '#core/result/loadMakers.ts';
import type { Finding } from '#core/result/schema.ts';
import type { SickCause } from '#core/measurement/window.ts';
import { formatCount, formatShare } from '#core/base/units.ts';
import type { Rule, RunFacts } from '../rule.ts';

/** A machine that stood still is told by a rule of its own. */
type BusyCause = Exclude<SickCause, 'standstill'>;

const CAUSES: Readonly<Record<BusyCause, { readonly what: string; readonly remedy: string }>> = {
  threadCpu: {
    what: 'the thread that sends requests was fully busy',
    remedy: 'Use more threads if cores are idle, fewer connections, or a second machine.',
  },
  threadWait: {
    what: 'other programs kept the thread that sends requests from running',
    remedy: 'Close other programs there, or use a machine of its own.',
  },
  eventLoopDelay: {
    what: 'the thread that sends requests was held up',
    remedy: 'Close other programs there, or use more threads or a second machine.',
  },
  steal: { what: 'the hypervisor took processor time away', remedy: 'Repeat the test at a quieter time or on a machine of its own.' },
  scheduleLag: { what: 'requests started later than planned', remedy: 'Use more threads, or a second machine.' },
  noPort: {
    what: 'no port was left for new connections',
    remedy: 'Keep connections open (keep-alive), widen the port range, or use a second machine.',
  },
  noFile: {
    what: 'the limit of open files was reached',
    remedy: 'Raise it (ulimit -n): here before Holdfast is started, on a host for its user.',
  },
};

/** Seconds in which what made the load, not the server, may be what was measured. One finding for each cause, with the machine's name. */
export const generatorLimited: Rule = {
  id: 'generatorLimited',
  find({ windows, generators }) {
    const total = windows.reduce((sum, { width }) => sum + width, 0);
    return causesIn(windows).map(([cause, sick]): Finding => {
      const seconds = sick.reduce((sum, { width }) => sum + width, 0);
      const { what, remedy } = CAUSES[cause];
      const last = sick.at(-1);
      return {
        id: `${this.id}.${cause}`,
        level: 'warning',
        sentence: `In ${formatCount(Math.max(1, Math.round(seconds)))} of ${formatCount(Math.max(1, Math.round(total)))} seconds ${what}, on ${sickMakers(generators, cause)}.`,
        evidence: [seconds >= total ? 'the whole run' : `${formatShare(seconds / total)} of the run`],
        remedy,
        confidence: cause === 'noPort' || cause === 'noFile' ? 'certain' : 'likely',
        range: { fromSecond: sick[0]?.second ?? 0, toSecond: last ? last.second + last.width : 0 },
      };
    });
  },
};

function causesIn(windows: RunFacts['windows']): [BusyCause, RunFacts['windows']][] {
  const byCause = new Map<BusyCause, RunFacts['windows']>();
  for (const window of windows)
    for (const cause of window.sick) if (cause !== 'standstill') byCause.set(cause, [...(byCause.get(cause) ?? []), window]);
  return [...byCause];
}
