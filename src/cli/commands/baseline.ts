import { optionError, textTable } from '../output/problems.ts';
import type { CallOutput } from '#contract/api.ts';
import type { Client } from '#contract/rpc/client.ts';
import { MIN_RUNS_PER_SIDE } from '#core/comparison/differences.ts';
import { formatCount } from '#core/base/units.ts';
import { findSide, findRunId } from '../running/findRun.ts';
import { withClient, type AddCommand } from '../context.ts';

export const addBaseline: AddCommand = (program, { context }) => {
  program
    .command('baseline')
    .description('set the runs with which later runs of the same preset and target are compared; without a run, list the baselines')
    .argument('[runs...]', 'runs, or the id of a series; with five or more, single runs can be compared with them')
    .option('--remove <run>', 'remove the baseline of the preset and target of this run')
    .addHelpText('after', '\nTo compare a new run with it: holdfast run PRESET --baseline preset')
    .action(async (runs: string[], { remove }: { readonly remove?: string }) => {
      if (remove !== undefined && runs.length > 0)
        throw optionError('Either set a baseline or remove one, not both.', 'See: holdfast baseline --help');
      const text = await withClient(context, async (client) => {
        if (remove !== undefined) return removeBaseline(client, remove);
        return runs.length > 0 ? setBaseline(client, runs) : listBaselines(client);
      });
      await context.out.write(text);
    });
};

async function setBaseline(client: Client, texts: readonly string[]): Promise<string> {
  const { runIds } = await findSide(client, texts.join(','));
  const set = await client.call('baselines.set', { runIds });
  const [runId = ''] = set.runIds;
  const { baseline } = await client.call('baselines.compare', { runId });
  const few =
    set.runIds.length < MIN_RUNS_PER_SIDE
      ? '\nTo claim a difference, Holdfast needs five runs or more: they show the normal run-to-run variation.'
      : '';
  return `${countOf(set.runIds)} ${set.runIds.length === 1 ? 'is' : 'are'} the baseline of ${baseline === null ? '' : describeQuestion(baseline)}.${few}\n`;
}

async function removeBaseline(client: Client, text: string): Promise<string> {
  const { runIds } = await client.call('baselines.remove', { runId: await findRunId(client, text) });
  return runIds.length === 0
    ? 'Its preset and target have no baseline.\n'
    : `Baseline removed. To set it again: holdfast baseline ${runIds.join(' ')}\n`;
}

async function listBaselines(client: Client): Promise<string> {
  const { baselines } = await client.call('baselines.list', {});
  if (baselines.length === 0) return 'No baselines. To set one: holdfast baseline RUN\n';
  return textTable(
    baselines.map(({ question, target, runIds, setAt }) => [question, target, countOf(runIds), setAt.slice(0, 10), runIds[0] ?? '']),
  );
}

type StoredBaseline = CallOutput<'baselines.list'>['baselines'][number];

function describeQuestion({ question, target }: Pick<StoredBaseline, 'question' | 'target'>): string {
  return `“${question}” at ${target}`;
}

function countOf(runIds: readonly string[]): string {
  return `${formatCount(runIds.length)} ${runIds.length === 1 ? 'run' : 'runs'}`;
}
