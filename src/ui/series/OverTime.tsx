import { variantLook } from '#core/presentation/charts/looks.ts';
import type { SeriesRow } from '#core/series/result.ts';
import { OverlayCharts } from '../app/OverlayCharts.tsx';
import { words } from '../words/words.ts';
import { typicalRun } from './typicalRun.ts';

/** One run of each variant, all from the same second 0. `rows` are of one level. */
export function OverTime({ rows, names }: { readonly rows: readonly SeriesRow[]; readonly names: readonly string[] }) {
  const runs = rows.flatMap((row) => {
    const runId = typicalRun(row)?.runId ?? null;
    const look = variantLook(Math.max(0, names.indexOf(row.variant ?? '')));
    return runId === null ? [] : [{ name: row.variant ?? row.cell, look, runId }];
  });
  return <OverlayCharts runs={runs} texts={words.series.charts} />;
}
