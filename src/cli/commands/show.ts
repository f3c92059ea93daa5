import { jsonText } from '../output/jsonFile.ts';
import { findRunId } from '../running/findRun.ts';
import { MAX_POINTS, resultText, type ResultFormat } from '../running/perform.ts';
import { withBackend, type AddCommand } from './command.ts';
import { formatOption } from './runOptions.ts';

export const addShow: AddCommand = (program, { context }) => {
  program
    .command('show')
    .description('print the result of a run')
    .argument('<run>', 'its id, the beginning of it, or last')
    .option('--json', 'as JSON')
    .addOption(formatOption())
    .action(async (text: string, flags: { json?: boolean; format: ResultFormat }) => {
      const printed = await withBackend(context, async (backend) => {
        const client = backend.client();
        const runId = await findRunId(client, text);
        return flags.json === true
          ? jsonText(await client.call('runs.result', { runId, maxPoints: MAX_POINTS }))
          : resultText(client, runId, flags.format);
      });
      await context.out.write(printed);
    });
};
