import { samplesText } from '#core/work/samples/text.ts';
import { jsonText } from '../output/jsonFile.ts';
import { isSeriesId, isSearchId, findRunId, findSeriesId, findSearchId, ANY_RUN } from '../running/findRun.ts';
import { MAX_POINTS, printedFormat, printResult, resultText, type ResultFormat } from '../running/perform.ts';
import { formatSeriesText, formatSearchText } from '#core/presentation/text/textReport.ts';
import type { Client } from '#contract/rpc/client.ts';
import { withBackend, type AddCommand } from './command.ts';
import { formatOption, fullOption } from './runOptions.ts';

export const addShow: AddCommand = (program, { context }) => {
  program
    .command('show')
    .description('print the result of a run, of a series or of a search')
    .argument('<run>', ANY_RUN)
    .option('--json', 'as JSON')
    .option('--samples', 'the first failures of each kind, with what was sent and what came back')
    .addOption(formatOption().conflicts('json'))
    .addOption(fullOption())
    .action(async (text: string, flags: { json?: boolean; samples?: boolean; format: ResultFormat; full?: boolean }) => {
      const printed = await withBackend(context, async (backend) => {
        const client = backend.client();
        if (isSeriesId(text)) return seriesPrinted(client, await findSeriesId(client, text), flags.json === true);
        if (isSearchId(text)) return searchPrinted(client, await findSearchId(client, text), flags.json === true);
        const runId = await findRunId(client, text);
        if (flags.samples === true) {
          const samples = await client.call('runs.samples', { runId });
          return flags.json === true ? jsonText(samples) : samplesText(samples);
        }
        return flags.json === true
          ? jsonText(await client.call('runs.result', { runId, maxPoints: MAX_POINTS }))
          : resultText(client, runId, printedFormat(flags), context.out);
      });
      await printResult(context.out, flags.format, printed);
    });
};

async function seriesPrinted(client: Client, seriesId: string, asJson: boolean): Promise<string> {
  const result = await client.call('series.result', { seriesId });
  return asJson ? jsonText(result) : formatSeriesText(result);
}

async function searchPrinted(client: Client, searchId: string, asJson: boolean): Promise<string> {
  const result = await client.call('searches.result', { searchId });
  return asJson ? jsonText(result) : formatSearchText(result);
}
