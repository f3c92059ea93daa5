import type { Comparison, FigureDifference, Measure } from '#core/comparison/schema.ts';
import { ENOUGH_RUNS } from '#core/comparison/differences.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { PlanOfStory, Scene } from './scene.ts';

/** One side of a comparison: what is run again and again. */
export interface SideOfStory {
  readonly name: string;
  readonly plan: PlanOfStory;
  /** Done after each of its runs, while others go. */
  readonly after?: () => Promise<unknown>;
}

export interface ComparedSides {
  readonly comparison: Comparison;
  /** The runs of each side, in the order of the sides. */
  readonly runs: readonly (readonly RunResult[])[];
}

/** Runs the sides in turn, each as often as a comparison wants it, and lays them side by side as the app does. The first is what the others are held against. */
export async function comparedInTurn(scene: Scene, sides: readonly SideOfStory[]): Promise<ComparedSides> {
  const runs = sides.map((): RunResult[] => []);
  const afterwards = sides.map((): Promise<unknown> => Promise.resolve());
  for (let turn = 0; turn < ENOUGH_RUNS; turn += 1)
    for (const [index, { plan, after }] of sides.entries()) {
      await afterwards[index];
      runs[index]?.push(await scene.run(plan));
      if (after) afterwards[index] = after();
    }
  await Promise.all(afterwards);
  return { runs, comparison: await compare(scene, sides, runs) };
}

/** Lays runs that were made side by side. */
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

/** What a comparison says of one figure of the whole run, or of a step, of a side beside the first. */
export function differenceIn(
  { pairs }: Comparison,
  side: number,
  measure: Measure,
  step: string | null = null,
): FigureDifference | undefined {
  const differences = pairs.find((pair) => pair.side === side)?.differences ?? [];
  const isMeant = ({ kind, name }: FigureDifference['scope']): boolean =>
    step === null ? kind === 'run' : kind === 'step' && name === step;
  return differences.find((one) => isMeant(one.scope) && one.measure === measure);
}

/** How many times as much it is on the other side; NaN where nobody knows. */
export function timesAsMuch(difference: FigureDifference | undefined): number {
  return 1 + (difference?.change ?? NaN);
}

/** Good answers of all these runs, stages that are not counted among them. */
export function goodAnswers(...runs: readonly (readonly RunResult[])[]): number {
  return runs.flat().reduce((sum, { ledger }) => sum + ledger.requests.ok, 0);
}

/** The middle of a figure over the runs of a side. null where nobody knows. */
export function middleIn(comparison: Comparison, side: number, measure: Measure): number | null {
  return spreadIn(comparison, side, measure)?.median ?? null;
}

/** The least of them. */
export function leastIn(comparison: Comparison, side: number, measure: Measure): number | null {
  return spreadIn(comparison, side, measure)?.least ?? null;
}

/** Of the first side, as the pair with the second tells it. */
function spreadIn(comparison: Comparison, side: number, measure: Measure): FigureDifference['from'] {
  return (side === 0 ? differenceIn(comparison, 1, measure)?.from : differenceIn(comparison, side, measure)?.to) ?? null;
}

/** Whether a figure is claimed to differ, surely and by more than a part of it. */
export function isClaimed(difference: FigureDifference | undefined, moreThan = 0): boolean {
  return difference?.judgement === 'differs' && Math.abs(difference.change ?? 0) > moreThan;
}

/** The same, and that way. */
export function isClaimedAs(direction: FigureDifference['direction'], difference: FigureDifference | undefined, moreThan = 0): boolean {
  return isClaimed(difference, moreThan) && difference?.direction === direction;
}

/** Whether it is surely better by more than a tenth: less than that may be real, and not what a story is about. */
export function isClearlyBetter(difference: FigureDifference | undefined): boolean {
  return isClaimedAs('better', difference, 0.1);
}
