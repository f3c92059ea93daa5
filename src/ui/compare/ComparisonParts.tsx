import { judgeStanding } from '#core/comparison/baseline.ts';
import { sideLetter } from '#core/comparison/figureTexts.ts';
import type { Comparison, FigureDifference, Measure } from '#core/comparison/schema.ts';
import { variantLook } from '#core/presentation/charts/looks.ts';
import type { Point } from '#core/result/schema.ts';
import { differenceTable, dissimilarityTable } from '#core/presentation/document/seriesTables.ts';
import { Banner } from '#ui/components/Banner.tsx';
import { Blocks } from '#ui/components/Blocks.tsx';
import { Card, Stack } from '#ui/components/Page.tsx';
import { LevelCharts } from '../charts/LevelChart.tsx';
import { OverlayCharts, OverlayPlots } from '#ui/shared/OverlayCharts.tsx';
import { toneOfStanding } from '#ui/shared/comparison.ts';
import { laterWords } from '../words/laterWords.ts';
import styles from './ComparePage.module.css';

const texts = laterWords.compare;

/** The verdict of each pair with its reasons, above all figures. */
export function Responses({ comparison }: { readonly comparison: Comparison }) {
  return (
    <Stack gap={16}>
      {comparison.pairs.map((pair) => {
        const standing = judgeStanding(pair);
        return (
          <Stack key={pair.side} gap={8}>
            <Banner tone={toneOfStanding(standing)} title={texts.conclusions[standing]}>
              {pair.sentence}
            </Banner>
            <ul className={styles.reasons}>
              {pair.reasons.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          </Stack>
        );
      })}
    </Stack>
  );
}

/** Tables of all figures, the settings that differ, and charts. */
export function ComparisonFigures({ comparison, points }: { readonly comparison: Comparison; readonly points?: PointsByRun }) {
  return (
    <>
      <DifferenceTables comparison={comparison} />
      <Card title={texts.dissimilar.title} flush={comparison.dissimilar.length > 0}>
        <Dissimilarities comparison={comparison} />
      </Card>
      <Card title={texts.charts.title}>
        <CompareCharts comparison={comparison} points={points} />
      </Card>
    </>
  );
}

const tableTexts = laterWords.compare.table;
const { sideName } = laterWords.compare.runs;

/** Tables of all figures, each with a side beside its reference. */
function DifferenceTables({ comparison }: { readonly comparison: Comparison }) {
  return comparison.pairs.map(({ reference, side, differences }) => {
    const [from, to] = [sideName(sideLetter(reference)), sideName(sideLetter(side))];
    const title = tableTexts.title(to, from);
    return (
      <Card key={side} title={title} flush={differences.length > 0}>
        {differences.length === 0 ? <p>{tableTexts.none}</p> : <Blocks blocks={differenceTable(title, { differences }, from, to)} />}
      </Card>
    );
  });
}

/** Table of every setting that differs between the runs, beside the figures that the setting may have changed. */
function Dissimilarities({ comparison }: { readonly comparison: Comparison }) {
  if (comparison.dissimilar.length === 0) return <p>{laterWords.compare.dissimilar.none}</p>;
  const sideNames = comparison.sides.map((_side, index) => laterWords.compare.runs.sideName(sideLetter(index)));
  return <Blocks blocks={dissimilarityTable(comparison, sideNames)} />;
}

/** Points of runs that the backend does not have, by run id. */
export type PointsByRun = ReadonlyMap<string, readonly Point[]> | undefined;

/** Charts for each side: a point with the minimum and maximum of its runs, and one run over time. */
export function CompareCharts({ comparison, points }: { readonly comparison: Comparison; readonly points: PointsByRun }) {
  const { sides } = comparison;
  const letters = sides.map((_side, index) => sideLetter(index));
  const runs = sides.flatMap(({ name, runs: ofSide }, index) => {
    const run = ofSide[Math.floor((ofSide.length - 1) / 2)];
    return run === undefined ? [] : [{ runId: run.id, name: texts.charts.sideWithName(sideLetter(index), name), look: variantLook(index) }];
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
      <p className="muted">{texts.charts.spread}</p>
      <LevelCharts
        hasLegend={false}
        charts={(
          [
            [texts.charts.throughput, 'perSecond', 'goodPerSecond'],
            [texts.charts.within, 'ms', 'p95'],
          ] as const
        ).map(([title, unit, measure]) => ({
          title,
          about: '',
          unit,
          categories: letters,
          numbers: null,
          axisName: texts.charts.sides,
          lines: getSpread(measure),
        }))}
      />
      <p className="muted">{texts.charts.story}</p>
      {points === undefined ? (
        <OverlayCharts runs={runs} texts={texts.charts} />
      ) : (
        <OverlayPlots
          runs={runs.map(({ runId, ...run }) => ({ ...run, id: runId, points: points.get(runId) ?? [] }))}
          texts={texts.charts}
        />
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
