import { optionError } from '../output/problems.ts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Client } from '#contract/rpc/client.ts';
import { identifyBaseline } from '#core/comparison/baseline.ts';
import { HoldfastError } from '#core/base/errors.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { MAX_REPEATS, type Series, seriesSchema } from '#core/plan/schema/series.ts';
import type { Baseline } from '../running/againstBaseline.ts';
import { findSide } from '../running/findRun.ts';
import { enterWholeNumberUpTo } from '#core/base/units.ts';

const DEFAULT_TOLERANCE_PERCENT = 5;

export interface BaselineFlags {
  readonly baseline?: string;
  readonly repeats?: number;
  readonly tolerance: number;
}

export function addBaselineOptions(command: Command): Command {
  command
    .optionsGroup('Baseline:')
    .option('--repeats <n>', 'run this many times, as a series, to distinguish differences from noise', readRepeats)
    .option(
      '--baseline <runs>',
      'compare with earlier runs: RUN, RUN,RUN,… or the id of a series; “preset” for the baseline of this preset or plan at its target. Use five or more runs on each side',
    );
  return addTolerance(command);
}

/** Adds --tolerance: how much worse a figure may become before the comparison fails. Entered in percent, parsed as a fraction. */
export function addTolerance(command: Command): Command {
  return command.addOption(
    new Option('--tolerance <percent>', 'how much worse a figure may be than its baseline, in percent')
      .argParser(readPercent)
      .default(DEFAULT_TOLERANCE_PERCENT / 100, String(DEFAULT_TOLERANCE_PERCENT)),
  );
}

/** Value of `--baseline` that selects the baseline stored for a preset or a plan. */
export const STORED_BASELINE = 'preset';

/** Finds the baseline before the run starts. Throws `BAD_OPTION` or `NO_BASELINE`, or the error for a missing run. */
export async function readBaseline(
  { baseline, tolerance }: BaselineFlags,
  { plan, series }: { readonly plan: Plan; readonly series: Series | null },
  client: Client,
): Promise<Baseline | null> {
  if (baseline === undefined) return null;
  if (series !== null)
    throw optionError(
      'This preset makes a series of several cells, which --baseline cannot compare as one.',
      'Run it without --baseline. Then compare the runs of two cells: holdfast compare RUN,RUN,… RUN,RUN,…',
    );
  return { side: baseline === STORED_BASELINE ? await requireBaseline(plan, client) : await findSide(client, baseline), tolerance };
}

/** Checks that a baseline is stored for the plan and its target. Returns null, which selects the stored baseline. */
async function requireBaseline({ preset, name, targets }: Plan, client: Client): Promise<null> {
  const { baselines } = await client.call('baselines.list', {});
  const { question, isPreset, target } = identifyBaseline({ preset: preset ?? null, planName: () => name, target: targets[0]?.url ?? '' });
  if (baselines.some((one) => one.question === question && one.target === target && one.isPreset === isPreset)) return null;
  throw new HoldfastError({
    code: 'NO_BASELINE',
    message: `No baseline of “${question}” at ${target}.`,
    hint: 'Run it, best with --repeats 5. Then set the result as baseline: holdfast baseline RUN, or the id of its series. To list all baselines: holdfast baseline',
  });
}

/** Returns the series with this number of repeats, or a new series that repeats the plan; null for a single run. */
export function withRepeats(series: Series | null, repeats: number | undefined): Series | null {
  if (repeats === undefined) return series;
  if (series !== null) return { ...series, repeats };
  return repeats === 1 ? null : seriesSchema.parse({ repeats });
}

function readRepeats(text: string): number {
  const repeats = Number(text);
  if (!Number.isInteger(repeats) || repeats < 1 || repeats > MAX_REPEATS)
    throw new InvalidArgumentError(enterWholeNumberUpTo(String(MAX_REPEATS)));
  return repeats;
}

function readPercent(text: string): number {
  const percent = Number(text);
  if (text.trim() === '' || !Number.isFinite(percent) || percent < 0 || percent > 1_000)
    throw new InvalidArgumentError('Enter a percentage from 0 to 1000, for example 5.');
  return percent / 100;
}
