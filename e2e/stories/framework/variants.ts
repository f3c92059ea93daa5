import { planSchema } from '#core/plan/schema/plan.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { SeriesResult } from '#core/series/result.ts';
import { seriesSchema } from '#core/plan/schema/series.ts';
import type { PlanOfStory, Scene } from './scene.ts';

/** A variant of the target in a series. */
interface VariantOfStory {
  readonly name: string;
  readonly targets: PlanOfStory['targets'];
  readonly factors?: Readonly<Record<string, string | number>>;
}

type SeriesRow = SeriesResult['rows'][number];

interface PlayedVariants {
  readonly table: SeriesResult;
  /** The runs of each variant. The variants are in their given order. */
  readonly runs: readonly (readonly RunResult[])[];
}

/** Runs a plan several times against each variant, in turn, as a series of the app. */
export async function playVariants(
  scene: Scene,
  plan: Omit<PlanOfStory, 'targets'>,
  variants: readonly VariantOfStory[],
  repeats: number,
): Promise<PlayedVariants> {
  const table = await scene.wholeSeries({
    plan: planSchema.parse({ holdfast: 1, name: 'Story', targets: variants[0]?.targets, ...plan }),
    series: seriesSchema.parse({ variants, repeats, coolDownSeconds: 0 }),
  });
  const rowOf = (name: string): SeriesRow | undefined => table.rows.find(({ variant }) => variant === name);
  return { table, runs: await Promise.all(variants.map(({ name }) => runsOfRow(scene, rowOf(name)))) };
}

/** Returns the finished runs that belong to a row of the table. */
export async function runsOfRow(scene: Scene, row: SeriesRow | undefined): Promise<RunResult[]> {
  const client = await scene.client();
  const ids = (row?.runs ?? []).flatMap(({ runId }) => (runId === null ? [] : [runId]));
  return Promise.all(ids.map((runId) => client.call('runs.result', { runId })));
}
