import type { Comparison, FigureDifference, Measure } from '#core/comparison/schema.ts';
import { MIN_RUNS_PER_SIDE } from '#core/comparison/differences.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { PlanOfStory, Scene } from './scene.ts';

/** A side of a comparison. It is run several times. */
export interface SideOfStory {
  readonly name: string;
  readonly plan: PlanOfStory;
  /** Called after each run of this side. */
  readonly after?: () => Promise<unknown>;
}

export interface ComparedSides {
  readonly comparison: Comparison;
  /** The runs of each side. The sides are in their given order. */
  readonly runs: readonly (readonly RunResult[])[];
}

/** Runs the sides in turn, as often as a comparison requires, and compares the others with the first one, as the app does. */
export async function compareInTurn(scene: Scene, sides: readonly SideOfStory[]): Promise<ComparedSides> {
  const runs = sides.map((): RunResult[] => []);
  const afterwards = sides.map((): Promise<unknown> => Promise.resolve());
  for (let turn = 0; turn < MIN_RUNS_PER_SIDE; turn += 1)
    for (const [index, { plan, after }] of sides.entries()) {
      await afterwards[index];
      runs[index]?.push(await scene.run(plan));
      if (after) afterwards[index] = after();
    }
  await Promise.all(afterwards);
  return { runs, comparison: await compare(scene, sides, runs) };
}

/** Compares runs that already exist. */
export async function compare(
  scene: Scene,
  sides: readonly Pick<SideOfStory, 'name'>[],
  runs: readonly (readonly RunResult[])[],
): Promise<Comparison> {
  const client = await scene.client();
  return client.call('comparisons.make', {
    sides: sides.map(({ name }, index) => ({ name, runIds: (runs[index] ?? []).map(({ run }) => run.id) })),
  });
}

/** Returns how a side differs from the first side in one figure of the whole run or of a step. */
export function findDifference(
  { pairs }: Comparison,
  side: number,
  measure: Measure,
  step: string | null = null,
): FigureDifference | undefined {
  const differences = pairs.find((pair) => pair.side === side)?.differences ?? [];
  const isWantedScope = ({ kind, name }: FigureDifference['scope']): boolean =>
    step === null ? kind === 'run' : kind === 'step' && name === step;
  return differences.find((one) => isWantedScope(one.scope) && one.measure === measure);
}

/** Returns the ratio of a side to the first side, or NaN if the ratio is unknown. */
export function ratioOf(difference: FigureDifference | undefined): number {
  return 1 + (difference?.change ?? NaN);
}

/** Returns the number of successful responses in all these runs. Stages that are not counted are left out. */
export function countSuccessful(...runs: readonly (readonly RunResult[])[]): number {
  return runs.flat().reduce((sum, { outcomes }) => sum + outcomes.requests.ok, 0);
}

/** Returns the median of a figure over the runs of a side; null if unknown. */
export function medianIn(comparison: Comparison, side: number, measure: Measure): number | null {
  return spreadIn(comparison, side, measure)?.median ?? null;
}

/** Returns the minimum of a figure over the runs of a side; null if unknown. */
export function minimumIn(comparison: Comparison, side: number, measure: Measure): number | null {
  return spreadIn(comparison, side, measure)?.least ?? null;
}

/** Returns how a figure varies over the runs of a side. For the first side, the values come from the pair with the second side. */
function spreadIn(comparison: Comparison, side: number, measure: Measure): FigureDifference['from'] {
  return (side === 0 ? findDifference(comparison, 1, measure)?.from : findDifference(comparison, side, measure)?.to) ?? null;
}

/** Returns whether the app claims that a figure differs by more than a share. */
export function claimsDifference(difference: FigureDifference | undefined, moreThan = 0): boolean {
  return difference?.judgement === 'differs' && Math.abs(difference.change ?? 0) > moreThan;
}

/** Works like {@link claimsDifference}, but only for differences in this direction. */
export function claimsDirection(direction: FigureDifference['direction'], difference: FigureDifference | undefined, moreThan = 0): boolean {
  return claimsDifference(difference, moreThan) && difference?.direction === direction;
}

/**
 * Returns whether the app claims that a figure is better by more than 10 %. Smaller differences may be real, but are not what stories are
 * about.
 */
export function isClearlyBetter(difference: FigureDifference | undefined): boolean {
  return claimsDirection('better', difference, 0.1);
}
