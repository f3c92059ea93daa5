import { counted, ONLY_LINUX, type Check } from './check.ts';
import { procFile } from './procFile.ts';

interface Limits {
  readonly soft: number;
  readonly hard: number;
}

/** Files that Holdfast itself has open: database, logs, threads, libraries. */
const OWN_FILES = 200;

/** Reads "Max open files" of /proc/PID/limits; see proc(5). */
export function parseLimits(text: string): Limits | null {
  const match = /^Max open files\s+(\d+|unlimited)\s+(\d+|unlimited)/m.exec(text);
  if (!match) return null;
  const [soft = 0, hard = 0] = match.slice(1).map((value) => (value === 'unlimited' ? Infinity : Number(value)));
  return { soft, hard };
}

export const openFiles: Check<Limits> = {
  id: 'openFiles',
  about: 'Open files',
  async probe() {
    const text = await procFile('/proc/self/limits');
    return (text === null ? null : parseLimits(text)) ?? ONLY_LINUX;
  },
  judge({ soft, hard }, { connections }) {
    const needed = connections + OWN_FILES;
    const enough = soft >= needed;
    const amount = Number.isFinite(soft) ? counted.format(soft) : 'Any number of';
    return {
      level: enough ? 'ok' : 'problem',
      title: `${amount} open files allowed`,
      evidence: `/proc/self/limits: soft ${soft}, hard ${hard}`,
      matters: enough
        ? `Each connection is an open file; this plan needs about ${counted.format(needed)}.`
        : `Each connection is an open file. This plan needs about ${counted.format(needed)}, so ${counted.format(needed - soft)} of its connections could not be opened.`,
      remedy: enough
        ? null
        : {
            text: 'Allow more in the terminal that starts Holdfast, then start it again.',
            command: `ulimit -n ${needed}`,
            undo: null,
            risk:
              hard >= needed
                ? 'None: it lasts as long as that terminal.'
                : 'Needs the rights of an administrator: the hard limit is lower.',
          },
    };
  },
};
