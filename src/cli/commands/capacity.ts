import { optionError } from '../output/problems.ts';
import { Option } from 'commander';
import { type Capacity, capacityOfRun, hasCapacity } from '#core/judgement/capacity/capacity.ts';
import { capacityOfSeries } from '#core/series/capacity.ts';
import { capacityBlocks } from '#core/presentation/document/capacity.ts';
import { passageLines } from '#core/presentation/text/textTable.ts';
import { capacitySentences } from '#core/judgement/capacity/sentences.ts';
import type { Demand } from '#core/plan/schema/demand.ts';
import type { Client } from '#contract/rpc/client.ts';
import { jsonText } from '../output/jsonFile.ts';
import { findRunId, findSeriesId, isSeriesId } from '../running/findRun.ts';
import { MAX_POINTS } from '../running/perform.ts';
import { type AddCommand, withClient } from '../context.ts';
import { jsonOption } from './runOptions.ts';

interface CapacityFlags {
  readonly demand?: string;
  readonly people?: string;
  readonly json?: boolean;
}

const CAPACITY_UNKNOWN =
  'Capacity unknown. It takes stages or cells with different numbers of users or connections, or a demand (--demand).\n';

/** Adds `capacity`, which reports how a run or a series scales and whether it meets the expected demand. */
export const addCapacity: AddCommand = (program, { context }) => {
  program
    .command('capacity')
    .description('show a server’s capacity from a run or a series: how it scales, its best cycle, and its headroom')
    .argument('<run>', 'id of a run or a series, or its beginning; last for the newest run')
    .addOption(new Option('--demand <rate>', 'expected demand in successful responses a second, instead of the plan’s'))
    .addOption(new Option('--people <count>', 'number of people who cause that demand; the result is then in people'))
    .addOption(jsonOption())
    .action(async (text: string, flags: CapacityFlags) => {
      const printedText = await withClient(context, async (client) => {
        const capacity = await estimateCapacity(client, text, flags);
        if (flags.json === true) return jsonText({ ...capacity, sentences: capacitySentences(capacity) });
        return hasCapacity(capacity) ? `${passageLines(capacityBlocks(capacity)).join('\n')}\n` : CAPACITY_UNKNOWN;
      });
      await context.out.write(printedText);
    });
};

async function estimateCapacity(client: Client, text: string, flags: CapacityFlags): Promise<Capacity> {
  if (isSeriesId(text)) {
    const series = await client.call('series.result', { seriesId: await findSeriesId(client, text) });
    return capacityOfSeries(series, readDemand(flags, series.document.plan.demand));
  }
  const run = await client.call('runs.result', { runId: await findRunId(client, text), maxPoints: MAX_POINTS });
  return capacityOfRun(run, readDemand(flags, run.plan.demand));
}

function readDemand({ demand, people }: CapacityFlags, planned: Demand | undefined): Demand | undefined {
  const requestsPerSecond = demand === undefined ? planned?.requestsPerSecond : numberOf('--demand', demand);
  const count = people === undefined ? undefined : numberOf('--people', people);
  if (requestsPerSecond === undefined) {
    if (count !== undefined) throw optionError('--people needs --demand.', 'Add their demand in successful responses a second: --demand.');
    return planned;
  }
  const name = planned?.people?.name ?? 'people';
  // The people of the plan belong to the plan's demand, so they are not used with another demand.
  const who = count === undefined ? (demand === undefined ? planned?.people : undefined) : { count, name };
  return { requestsPerSecond, ...(who === undefined ? {} : { people: who }) };
}

function numberOf(option: string, text: string): number {
  const value = Number(text);
  if (value > 0 && value <= 10_000_000) return value;
  throw optionError(`${option} ${text} cannot be used.`, 'Enter a number above 0 and up to 10,000,000.');
}
