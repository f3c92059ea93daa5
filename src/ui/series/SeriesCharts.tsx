import { useState } from 'react';
import type { SeriesResult, SeriesRow } from '#core/series/result.ts';
import { ChartGrid } from '../charts/ChartGrid.tsx';
import { LevelChart } from '../charts/LevelChart.tsx';
import { LineLegend } from '../charts/LineLegend.tsx';
import { Card } from '../components/Card.tsx';
import { Stack } from '../components/Page.tsx';
import { Select } from '../components/Select.tsx';
import { variantLook } from '#core/presentation/charts/looks.ts';
import { words } from '../words/words.ts';
import { fieldsOf, levelChoices, levelPicture, variantNames } from './levelLines.ts';
import { OverTime } from './OverTime.tsx';
import styles from './SeriesPage.module.css';

const texts = words.series;

/** All variants in one set of charts: over the levels (or repeats), and over the time of a run. */
export function SeriesCharts({ rows }: Pick<SeriesResult, 'rows'>) {
  const names = variantNames(rows);
  const fields = fieldsOf(rows);
  const [along, second] = fields;
  const { chosen: atSecond, select: secondSelect } = useLevelChoice(rows, second);
  const slice = second === undefined ? rows : rows.filter(({ level }) => String(level[second]) === atSecond);
  const { chosen: atLevel, select: levelSelect } = useLevelChoice(slice, along);
  const oneLevel = along === undefined ? slice : slice.filter(({ level }) => String(level[along]) === atLevel);
  const picture = levelPicture(slice, names);
  const legend = names.length > 1 ? <LineLegend lines={names.map((name, index) => ({ name, look: variantLook(index) }))} /> : null;
  return (
    <>
      {picture === null ? null : (
        <Card title={picture.field === null ? texts.repeatCharts : texts.levelCharts} actions={secondSelect}>
          <Stack gap={12}>
            {legend}
            <ChartGrid>
              <LevelChart title={texts.charts.throughput} unit="perSecond" {...axisOf(picture)} lines={picture.lines.throughput} />
              <LevelChart title={texts.charts.within} unit="ms" {...axisOf(picture)} lines={picture.lines.p95} />
              <LevelChart
                title={texts.charts.failed}
                about={texts.charts.failedAbout}
                unit="count"
                {...axisOf(picture)}
                lines={picture.lines.failedShare}
              />
            </ChartGrid>
          </Stack>
        </Card>
      )}
      <Card title={texts.overTime} actions={levelSelect}>
        <Stack gap={12}>
          <p className={styles.quiet}>{texts.overTimeStory}</p>
          {legend}
          <OverTime rows={oneLevel} names={names} />
        </Stack>
      </Card>
    </>
  );
}

function axisOf({ field, categories }: NonNullable<ReturnType<typeof levelPicture>>) {
  return { categories, axisName: field === null ? texts.repeatsAxis : texts.levelAxis[field] };
}

/** Which level of a field is shown; the highest at first, since there most happens. */
function useLevelChoice(rows: readonly SeriesRow[], field: Parameters<typeof levelChoices>[1] | undefined) {
  const choices = field === undefined ? [] : levelChoices(rows, field);
  const [picked, setPicked] = useState<string | null>(null);
  const chosen = choices.some(({ value }) => value === picked) ? (picked ?? '') : (choices.at(-1)?.value ?? '');
  const select = choices.length > 1 ? <Select label={texts.at} value={chosen} choices={choices} onChange={setPicked} /> : null;
  return { chosen, select };
}
