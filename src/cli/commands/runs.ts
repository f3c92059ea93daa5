import type { RunRow } from '#contract/replies.ts';
import { formatCount, formatRate, NOT_KNOWN } from '#core/base/units.ts';
import { OUTCOME_TITLES } from '#core/judgement/verdict/words.ts';
import { jsonText } from '../output/jsonFile.ts';
import { textTable } from '../output/table.ts';
import { listRuns } from '../running/findRun.ts';
import { withBackend, type AddCommand } from './command.ts';

const SHOWN_RUNS = 20;

export const addRuns: AddCommand = (program, { context }) => {
  program
    .command('runs')
    .description('list the runs, newest first')
    .option('--json', 'all of them as JSON: {"runs": […]}')
    .option('--all', `more than the newest ${SHOWN_RUNS}`)
    .action(async (flags: { json?: boolean; all?: boolean }) => {
      const isLimited = flags.json !== true && flags.all !== true;
      const runs = await withBackend(context, (backend) => listRuns(backend.client(), isLimited ? SHOWN_RUNS : undefined));
      await context.out.write(flags.json === true ? jsonText({ runs }) : runsText(runs));
    });
};

type Listed = Pick<RunRow, 'id' | 'name' | 'startedAt' | 'state' | 'outcome' | 'requests' | 'completedPerSecond' | 'target'>;

export function runsText(runs: readonly Listed[]): string {
  if (runs.length === 0) return 'No runs. To start one: holdfast quick URL\n';
  const rows = runs.map((run) => [
    run.id,
    run.startedAt.slice(0, 19).replace('T', ' '),
    run.state === 'finished' && run.outcome !== null ? OUTCOME_TITLES[run.outcome].toLowerCase() : run.state,
    `${formatCount(run.requests)} requests`,
    run.completedPerSecond === null ? NOT_KNOWN : formatRate(run.completedPerSecond),
    run.target,
    run.name,
  ]);
  return textTable(rows);
}
