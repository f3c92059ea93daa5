import type { RunHistory } from '#core/comparison/runHistory.ts';
import type { RunRow } from '#contract/replies.ts';
import { formatCount, formatMs, formatRate, formatShare, UNKNOWN_TEXT } from '#core/base/units.ts';
import { OUTCOME_TITLES } from '#core/judgement/verdict/labels.ts';
import { samplesText } from '#core/work/samples/text.ts';
import { formatSearchText, formatSeriesText } from '#core/presentation/text/textReport.ts';
import type { Client } from '#contract/rpc/client.ts';
import { jsonText } from '../output/jsonFile.ts';
import { textTable } from '../output/problems.ts';
import { listRuns, isSeriesId, isSearchId, findRunId, findSeriesId, findSearchId, ANY_RUN } from '../running/findRun.ts';
import { MAX_POINTS, chooseFormat, printResult, resultText, type ResultFormat } from '../running/perform.ts';
import { withClient, type AddCommand } from '../context.ts';
import { formatOption, fullOption, jsonOption } from './runOptions.ts';

const SHOWN_RUNS = 20;

export const addRuns: AddCommand = (program, { context }) => {
  program
    .command('runs')
    .description('list the runs, newest first')
    .option('--json', 'print all runs as JSON: {"runs": […]}')
    .option('--all', `list all runs, not only the newest ${SHOWN_RUNS}`)
    .action(async (flags: { json?: boolean; all?: boolean }) => {
      const isLimited = flags.json !== true && flags.all !== true;
      const runs = await withClient(context, (client) => listRuns(client, isLimited ? SHOWN_RUNS : undefined));
      await context.out.write(flags.json === true ? jsonText({ runs }) : runsText(runs));
    });
};

type ListedRun = Pick<RunRow, 'id' | 'name' | 'startedAt' | 'state' | 'outcome' | 'requests' | 'completedPerSecond' | 'target'>;

export function runsText(runs: readonly ListedRun[]): string {
  if (runs.length === 0) return 'No runs. To start one: holdfast quick URL\n';
  const rows = runs.map((run) => [
    run.id,
    run.startedAt.slice(0, 19).replace('T', ' '),
    run.state === 'finished' && run.outcome !== null ? OUTCOME_TITLES[run.outcome].toLowerCase() : run.state,
    `${formatCount(run.requests)} requests`,
    run.completedPerSecond === null ? UNKNOWN_TEXT : formatRate(run.completedPerSecond),
    run.target,
    run.name,
  ]);
  return textTable(rows);
}

export const addHistory: AddCommand = (program, { context }) => {
  program
    .command('history')
    .description('list runs with the same name, target and load, and the runs since which p95 or throughput differ')
    .argument('<run>', 'id of a run, its beginning, or last')
    .addOption(jsonOption())
    .action(async (text: string, { json }: { readonly json?: boolean }) => {
      const history = await withClient(context, async (client) => client.call('runs.history', { runId: await findRunId(client, text) }));
      await context.out.write(json === true ? jsonText(history) : historyText(history));
    });
};

function historyText({ runs, changes }: RunHistory): string {
  const rows = runs.map(({ id, startedAt, p95Ms, completedPerSecond, errors, note }) => [
    changes.some(({ runId }) => runId === id) ? '>' : '',
    id,
    startedAt.slice(0, 16).replace('T', ' '),
    p95Ms === null ? UNKNOWN_TEXT : formatMs(p95Ms),
    completedPerSecond === null ? UNKNOWN_TEXT : formatRate(completedPerSecond),
    errors === null ? UNKNOWN_TEXT : `${formatShare(errors.share)} errors`,
    note.split('\n', 1)[0] ?? '',
  ]);
  const found = changes.map(({ sentence }) => `${sentence}\n`).join('');
  return `${found === '' ? `No change in ${formatCount(runs.length)} runs that is larger than their noise.\n` : found}\n${textTable(rows)}`;
}

export const addShow: AddCommand = (program, { context }) => {
  program
    .command('show')
    .description('print the result of a run, of a series or of a search')
    .argument('<run>', ANY_RUN)
    .addOption(jsonOption())
    .option('--samples', 'print the first failures of each kind, with their requests and responses')
    .addOption(formatOption().conflicts('json'))
    .addOption(fullOption())
    .action(async (text: string, flags: { json?: boolean; samples?: boolean; format: ResultFormat; full?: boolean }) => {
      const printedText = await withClient(context, async (client) => {
        if (isSeriesId(text)) return seriesText(client, await findSeriesId(client, text), flags.json === true);
        if (isSearchId(text)) return searchText(client, await findSearchId(client, text), flags.json === true);
        const runId = await findRunId(client, text);
        if (flags.samples === true) {
          const samples = await client.call('runs.samples', { runId });
          return flags.json === true ? jsonText(samples) : samplesText(samples);
        }
        return flags.json === true
          ? jsonText(await client.call('runs.result', { runId, maxPoints: MAX_POINTS }))
          : resultText(client, runId, chooseFormat(flags), context.out);
      });
      await printResult(context.out, flags.format, printedText);
    });
};

async function seriesText(client: Client, seriesId: string, asJson: boolean): Promise<string> {
  const result = await client.call('series.result', { seriesId });
  return asJson ? jsonText(result) : formatSeriesText(result);
}

async function searchText(client: Client, searchId: string, asJson: boolean): Promise<string> {
  const result = await client.call('searches.result', { searchId });
  return asJson ? jsonText(result) : formatSearchText(result);
}
