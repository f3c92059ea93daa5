import { judgeStanding } from '#core/comparison/baseline.ts';
import { sideLetter } from '#core/comparison/figureTexts.ts';
import type { Comparison } from '#core/comparison/schema.ts';
import { differenceTable, dissimilarityTable } from '#core/presentation/document/seriesTables.ts';
import { Banner } from '#ui/components/Banner.tsx';
import { Blocks } from '#ui/components/Blocks.tsx';
import { Card, Stack } from '#ui/components/Page.tsx';
import { toneOfStanding } from '#ui/shared/comparison.ts';
import { laterWords } from '../words/laterWords.ts';
import { CompareCharts, type PointsByRun } from './CompareCharts.tsx';
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

/** Measurements and their possible causes. */
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

/** Tables of all figures, with each side beside the first one. */
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
