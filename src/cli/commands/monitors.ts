import { attachGraph, type AttachedGraph, type GraphOptions } from '../running/attachGraph.ts';
import { findRunId } from '../running/findRun.ts';
import { jsonText } from '../output/jsonFile.ts';
import { withClient, type AddCommand } from '../context.ts';

export const addMonitors: AddCommand = (program, { context }) => {
  const monitors = program.command('monitors').description('add monitored values to a run');
  monitors
    .command('attach')
    .description('attach a graph to a run: a CSV file, for example of a cloud console')
    .argument('<run>', 'id of the run, its beginning, or last')
    .argument('<file>')
    .option('--zone <zone>', 'time zone of times without one: UTC, +02:00, Europe/Berlin')
    .option('--name <name>', 'name in charts (default: the file name)')
    .option('--replace', 'replace the graph of that name')
    .option('--json', 'print what was attached as JSON')
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
