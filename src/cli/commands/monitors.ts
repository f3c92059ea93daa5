import { attachGraph, type AttachedGraph, type GraphOptions } from '../running/attachGraph.ts';
import { findRunId } from '../running/findRun.ts';
import { jsonText } from '../output/jsonFile.ts';
import { withClient, type AddCommand } from '../context.ts';

export const addMonitors: AddCommand = (program, { context }) => {
  const monitors = program.command('monitors').description('work with what was monitored during a run');
  monitors
    .command('attach')
    .description('attach the CSV file of a graph, as a cloud console exports it, to a run')
    .argument('<run>', 'id of the run, the beginning of one, or last')
    .argument('<file>')
    .option('--zone <zone>', 'time zone of times that do not say their own: UTC, +02:00, Europe/Berlin')
    .option('--name <name>', 'what charts call it (default: the name of the file)')
    .option('--replace', 'replace the graph of that name')
    .option('--json', 'what was attached as JSON')
    .action(async (run: string, file: string, flags: GraphOptions & { readonly json?: boolean }) => {
      const attached = await withClient(context, async (client) => {
        return attachGraph(await findRunId(client, run), file, flags, client, context);
      });
      await context.out.write(flags.json === true ? jsonText(attached) : attachmentText(attached));
    });
};

function attachmentText({ name, columns, rows, rowsOutside, leftOut }: AttachedGraph): string {
  const lines = [
    `Attached ${name}: ${columns.join(', ')}; ${rows} ${rows === 1 ? 'row' : 'rows'} of the run, ${rowsOutside} before and after it.`,
  ];
  return `${[...lines, ...leftOut.map((left) => `Left out ${left}.`)].join('\n')}\n`;
}
