import { variantLook } from '#core/presentation/charts/looks.ts';
import type { Comparison, FigureDifference, Measure } from '#core/comparison/schema.ts';
import { sideLetter } from '#core/comparison/figureTexts.ts';
import { LevelCharts } from '../charts/LevelChart.tsx';
import { Stack } from '../components/Page.tsx';
import type { Point } from '#core/result/schema.ts';
import { OverlayCharts, OverlayPlots } from '#ui/shared/OverlayCharts.tsx';
import { laterWords } from '../words/laterWords.ts';

const texts = laterWords.compare.charts;
const { sideName } = laterWords.compare.runs;

/** Points of runs that the backend does not have, by run id. */
export type PointsByRun = ReadonlyMap<string, readonly Point[]> | undefined;

/** Charts for each side: a point with the minimum and maximum of its runs, and one run over time. */
export function CompareCharts({ comparison, points }: { readonly comparison: Comparison; readonly points: PointsByRun }) {
  const { sides } = comparison;
  const letters = sides.map((_side, index) => sideLetter(index));
  const runs = sides.flatMap(({ name, runs: ofSide }, index) => {
    const run = ofSide[Math.floor((ofSide.length - 1) / 2)];
    return run === undefined ? [] : [{ runId: run.id, name: texts.sideWithName(sideLetter(index), name), look: variantLook(index) }];
  });
  // The points have no line, because there are no values between two sides.
  const getSpread = (measure: Measure) =>
    sides.map((_side, index) => ({
      name: sideName(sideLetter(index)),
      look: variantLook(index),
      values: sides.map((_other, place) => (place === index ? wholeRun(comparison, index, measure) : null)),
    }));
  return (
    <Stack gap={16}>
      <p className="muted">{texts.spread}</p>
      <LevelCharts
        hasLegend={false}
        charts={(
          [
            [texts.throughput, 'perSecond', 'goodPerSecond'],
            [texts.within, 'ms', 'p95'],
          ] as const
        ).map(([title, unit, measure]) => ({
          title,
          about: '',
          unit,
          categories: letters,
          numbers: null,
          axisName: texts.sides,
          lines: getSpread(measure),
        }))}
      />
      <p className="muted">{texts.story}</p>
      {points === undefined ? (
        <OverlayCharts runs={runs} texts={texts} />
      ) : (
        <OverlayPlots runs={runs.map(({ runId, ...run }) => ({ ...run, id: runId, points: points.get(runId) ?? [] }))} texts={texts} />
      )}
    </Stack>
  );
}

/** Returns a figure of the whole run for one side. The first side is in every pair, and each other side is in one. */
function wholeRun({ pairs }: Comparison, side: number, measure: Measure): FigureDifference['from'] {
  const pair = pairs.find((one) => one.side === side) ?? pairs[0];
  const difference = pair?.differences.find((one) => one.scope.kind === 'run' && one.measure === measure);
  return (side === pair?.side ? difference?.to : difference?.from) ?? null;
}
