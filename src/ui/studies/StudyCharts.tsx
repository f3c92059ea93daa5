import type { StudyResult } from '#core/search/result.ts';
import { ChartGrid } from '../charts/ChartGrid.tsx';
import { LevelChart } from '../charts/LevelChart.tsx';
import { LineLegend } from '../charts/LineLegend.tsx';
import { Card } from '../components/Card.tsx';
import { Stack } from '../components/Page.tsx';
import { words } from '../words/words.ts';
import { characterPicture, searchPicture } from './pictures.ts';

const texts = words.studies.charts;

/** Rates and times over the levels; of a server also what its workers would do. Nothing while there is but one level. */
export function StudyCharts({ result: { answer, runs } }: { readonly result: StudyResult }) {
  const picture = answer.kind === 'breakingPoint' ? searchPicture(answer, runs) : characterPicture(answer, runs);
  if (picture === null) return null;
  const { categories, axisName, rate, times } = picture;
  return (
    <Card title={texts.title}>
      <Stack gap={12}>
        {times.length > 1 ? <LineLegend lines={times} /> : null}
        <ChartGrid>
          <LevelChart title={texts.rate} unit="perSecond" categories={categories} axisName={axisName} lines={rate} />
          <LevelChart
            title={answer.kind === 'breakingPoint' ? texts.within : texts.time}
            unit="ms"
            categories={categories}
            axisName={axisName}
            lines={times}
          />
        </ChartGrid>
      </Stack>
    </Card>
  );
}
