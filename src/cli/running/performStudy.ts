import type { Client } from '#contract/rpc/client.ts';
import type { HoldfastError } from '#core/base/errors.ts';
import { loadsHere } from '#core/plan/hosts/places.ts';
import type { StudyDocument, StudyResult } from '#core/search/result.ts';
import { studyRunLine } from '#core/search/table.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exitCodes.ts';
import { withHostKey } from '../hosts/withHostKey.ts';
import { openJsonDestination } from '../output/jsonFile.ts';
import { studyText } from '../output/studyText.ts';
import type { Consent } from './consent.ts';
import { watchToTheEnd } from './perform.ts';
import { requireReachable } from './preflight.ts';
import { type Progress, startProgress } from './progress.ts';
import { stopOnInterrupt } from './interrupt.ts';

export interface StudyOutput {
  readonly json: string | undefined;
  readonly quiet: boolean;
}

/** Runs a study to its end, prints its answer and saves it, and tells the exit code. */
export async function performStudy(
  document: StudyDocument,
  output: StudyOutput,
  context: CliContext,
  client: Client,
  consent: Consent,
): Promise<ExitCode> {
  const agreed = await consent.agree({ plan: document.plan, on: document.on }, client);
  const destination = output.json === undefined ? null : await openJsonDestination(output.json, context.currentDirectory, context.out);
  try {
    // What a host can reach is not for this computer to say.
    if (loadsHere(document.on)) await requireReachable(document.plan);
    const { studyId } = await withHostKey(() => client.call('studies.start', { document, agreed }), client, context);
    const progress = startProgress(context.err, !output.quiet);
    const stop = () => client.call('studies.stop', { studyId });
    const release = stopOnInterrupt(stop, 'Stopping: what was found out is kept.', context, progress);
    try {
      await watchStudy(studyId, client, output.quiet ? null : progress);
    } finally {
      release();
      await progress.end();
    }
    const result = await client.call('studies.result', { studyId });
    if (!output.quiet && destination?.isStandardOutput !== true) await context.out.write(studyText(result));
    await destination?.save(result);
    return exitCodeOfStudy(result);
  } finally {
    await destination?.discard();
  }
}

/** Follows it, tells of each run that ends, and shows the load of the one that is going. */
function watchStudy(studyId: string, client: Client, progress: Progress | null): Promise<void> {
  const told = new Set<number>();
  const followed = new Set<string>();
  return new Promise((resolve, reject) => {
    const onItem = ({ runs }: StudyResult): void => {
      if (progress === null) return;
      for (const run of runs) {
        if (run.state !== 'running' && !told.has(run.position)) {
          told.add(run.position);
          progress.note(`${told.size}  ${studyRunLine(run)}`);
        }
        if (run.phase === 'load' && run.runId !== null && !followed.has(run.runId)) {
          followed.add(run.runId);
          // What goes wrong with it stands in the table.
          watchToTheEnd(run.runId, client, progress).catch(() => {});
        }
      }
    };
    client.open('studies.watch', { studyId }, { onItem, onEnd: (problem?: HoldfastError) => (problem ? reject(problem) : resolve()) });
  });
}

/** Fine when there is an answer, inconclusive when there is none. */
export function exitCodeOfStudy({ study, answer }: StudyResult): ExitCode {
  if (study.state === 'stopped') return EXIT.stoppedByUser;
  if (study.state !== 'finished') return EXIT.failed;
  const isKnown = answer.kind === 'characterize' ? answer.server !== 'unknown' : answer.isKnown;
  return isKnown ? EXIT.fine : EXIT.inconclusive;
}
