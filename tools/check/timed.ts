import { readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';

/** Tests that judge how fast something went, or keep every processor busy: nothing else may run beside them. */
export const TIMED_ALONE = [
  'src/cli/veto.test.ts',
  'src/engine/pacedRun.test.ts',
  'src/lab/link/withLink.test.ts',
  'src/lab/node-vs-gunicorn/lab.test.ts',
  'src/selftest/runSelfTest.test.ts',
  'workers/drivers/native/paced/*.test.ts',
  'workers/journey/{besides,flow,journeys}.test.ts',
];

/** Of the tests that others may run beside: those that play a story, which compares times. */
const TIMED = [...TIMED_ALONE, 'e2e/stories/stories.test.ts', 'src/engine/agreement.nightly.test.ts'];

/** Whether a test says something about times. Under a processor that others take away it then says nothing about this code. */
export function isTimed(place: string): boolean {
  return TIMED.some((glob) => matchesGlob(place, `**/${glob}`) || matchesGlob(place, glob));
}

/** More than this share of the processors' time taken away by the machine's host, and times are not worth judging. */
export const MOST_STOLEN = 0.1;

/** Starts to measure; returns what gives the share of the processors' time that was taken away since, null where that is not known. */
export function watchSteal(): () => number | null {
  const before = processorTimes();
  return () => {
    const after = processorTimes();
    if (before === null || after === null) return null;
    const all = after.all - before.all;
    return all > 0 ? (after.stolen - before.stolen) / all : null;
  };
}

function processorTimes(): { readonly all: number; readonly stolen: number } | null {
  try {
    // User, nice, system, idle, waiting, two kinds of interrupts, stolen: see proc_stat(5). Guests are within the first two.
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
    const times = line.split(/\s+/).slice(1, 9).map(Number);
    return { all: times.reduce((sum, time) => sum + time, 0), stolen: times[7] ?? 0 };
  } catch {
    return null;
  }
}
