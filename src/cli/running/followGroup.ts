import type { Client, StreamListener } from '#contract/rpc/client.ts';
import { VISITING_PAGES } from '#core/presentation/document/words.ts';
import type { CliContext } from '../context.ts';
import { stopOnInterrupt, startProgress } from './progress.ts';
import { watchToTheEnd } from './perform.ts';

interface GroupRun {
  readonly position: number;
  readonly phase: string | null;
  readonly runId: string | null;
}

/** A series or search that has started. */
interface FollowedGroup<Result, Run extends GroupRun> {
  readonly open: (listener: StreamListener<Result>) => void;
  readonly stop: () => Promise<unknown>;
  /** Text that is printed when the user stops the group. */
  readonly stopping: string;
  /** Text of the first line, which is optional. */
  readonly first?: string | undefined;
  /** Runs in the order of execution. */
  readonly getRuns: (result: Result) => readonly Run[];
  readonly isOver: (run: Run) => boolean;
  /** Formats the line for a finished run, which is the `nth` in order. */
  readonly formatLine: (run: Run, nth: number, result: Result) => string;
}

/** Follows a group of runs to its end, prints each finished run, and shows the load of the current run. Ctrl-C stops the group. */
export async function followGroup<Result, Run extends GroupRun>(
  { open, stop, stopping, first, getRuns, isOver, formatLine }: FollowedGroup<Result, Run>,
  isQuiet: boolean,
  context: CliContext,
  client: Client,
): Promise<void> {
  const progress = startProgress(context.err, !isQuiet);
  if (!isQuiet && first !== undefined) progress.note(first);
  const release = stopOnInterrupt(stop, stopping, context, progress);
  const reported = new Set<number>();
  const followed = new Set<string>();
  const report = (result: Result): void => {
    for (const run of getRuns(result)) {
      if (isOver(run) && !reported.has(run.position)) {
        reported.add(run.position);
        progress.note(formatLine(run, reported.size, result));
      }
      if (run.phase === 'visits') progress.doing(VISITING_PAGES);
      if (run.phase === 'load' && run.runId !== null && !followed.has(run.runId)) {
        followed.add(run.runId);
        // Errors are ignored here, because the table reports errors of the run.
        watchToTheEnd(run.runId, client, progress).catch(() => {});
      }
    }
  };
  try {
    await new Promise<void>((resolve, reject) => {
      open({ onItem: (result) => (isQuiet ? undefined : report(result)), onEnd: (problem) => (problem ? reject(problem) : resolve()) });
    });
  } finally {
    release();
    await progress.end();
  }
}
