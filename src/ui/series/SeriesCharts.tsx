import { useState } from 'react';
import type { CellRun, SeriesResult, SeriesRow } from '#core/series/result.ts';
import { variantLook } from '#core/presentation/charts/looks.ts';
import { fieldsOf, levelChoices, levelPicture, seriesCharts, variantNames } from '#core/presentation/document/seriesReport.ts';
import { LevelCharts } from '../charts/LevelChart.tsx';
import { Card } from '#ui/components/Page.tsx';
import { Stack } from '../components/Page.tsx';
import { Select } from '#ui/components/Choices.tsx';
import { words } from '../words/words.ts';
import { OverlayCharts } from '#ui/shared/OverlayCharts.tsx';
import styles from './SeriesPage.module.css';

/**
 * Returns the run that represents a cell: the complete run whose throughput is nearest to the median, or an aborted run if there is none.
 */
export function findTypicalRun({ runs, throughput }: Pick<SeriesRow, 'runs' | 'throughput'>): CellRun | null {
  const endedRuns = runs.filter(({ runId, state }) => runId !== null && state !== 'running');
  const whole = endedRuns.filter(({ state }) => state === 'value');
  const distanceToMedian = ({ figures }: CellRun): number => Math.abs((figures?.completedPerSecond ?? 0) - (throughput?.median ?? 0));
  return [...(whole.length > 0 ? whole : endedRuns)].sort((a, b) => distanceToMedian(a) - distanceToMedian(b))[0] ?? null;
}

/** Charts over time, with one run per variant, aligned at second 0. All `rows` have the same level. */
function ChartsOverTime({ rows, names }: { readonly rows: readonly SeriesRow[]; readonly names: readonly string[] }) {
  const runs = rows.flatMap((row) => {
    const runId = findTypicalRun(row)?.runId ?? null;
    const look = variantLook(Math.max(0, names.indexOf(row.variant ?? '')));
    return runId === null ? [] : [{ name: row.variant ?? row.cell, look, runId }];
  });
  return <OverlayCharts runs={runs} texts={words.series.charts} />;
}

const texts = words.series;

/** Charts of all variants, both over the levels (or repeats) and over the time of a run. */
export function SeriesCharts({ rows }: Pick<SeriesResult, 'rows'>) {
  const names = variantNames(rows);
  const fields = fieldsOf(rows);
  const [along, second] = fields;
  const { chosen: atSecond, select: secondSelect } = useLevelChoice(rows, second);
  const slice = second === undefined ? rows : rows.filter(({ level }) => String(level[second]) === atSecond);
  const { chosen: atLevel, select: levelSelect } = useLevelChoice(slice, along);
  const oneLevel = along === undefined ? slice : slice.filter(({ level }) => String(level[along]) === atLevel);
  const picture = levelPicture(slice, names);
  return (
    <>
      {picture === null ? null : (
        <Card title={texts.alongCharts[picture.along]} actions={secondSelect}>
          <Stack gap={12}>
            <LevelCharts charts={seriesCharts(slice)} />
          </Stack>
        </Card>
      )}
      <Card title={texts.overTime} actions={levelSelect}>
        <Stack gap={12}>
          <p className={styles.quiet}>{texts.overTimeStory}</p>
          <ChartsOverTime rows={oneLevel} names={names} />
        </Stack>
      </Card>
    </>
  );
}

/** Returns the state of the level that is shown for a field. At first, this is the highest level. */
function useLevelChoice(rows: readonly SeriesRow[], field: Parameters<typeof levelChoices>[1] | undefined) {
  const choices = field === undefined ? [] : levelChoices(rows, field);
  const [picked, setPicked] = useState<string | null>(null);
  const chosen = choices.some(({ value }) => value === picked) ? (picked ?? '') : (choices.at(-1)?.value ?? '');
  const select = choices.length > 1 ? <Select isBeside label={texts.at} value={chosen} choices={choices} onChange={setPicked} /> : null;
  return { chosen, select };
}
