import { memo, useMemo } from 'react';
import { filmBlocks, visitOverview, visitTables } from '#core/presentation/document/visits.ts';
import { visitChart } from '#core/presentation/charts/visitSeries.ts';
import { endOf, stageBands } from '#core/presentation/charts/chartFrame.ts';
import type { ShadedRange, Span } from '#core/presentation/charts/types.ts';
import type { RunResult } from '#core/result/schema.ts';
import { ChartView } from '../charts/ChartView.tsx';
import { TimeChart } from '../charts/TimeChart.tsx';
import { Blocks } from '../components/Blocks.tsx';
import { Card } from '#ui/components/Page.tsx';
import { Disclosure } from '../components/Disclosure.tsx';
import { Film } from '../components/Film.tsx';
import { Stack } from '../components/Page.tsx';
import { words } from '../words/words.ts';
import styles from './Visits.module.css';

const NO_RANGES: readonly ShadedRange[] = [];
const NO_SPANS: readonly Span[] = [];
const texts = words.results.visits;

/** Measurements by real browsers: figures, charts over time, and pictures. Renders nothing if there were no visits. */
export const Visits = memo(function Visits({ result }: { readonly result: RunResult }) {
  const { visits, run } = result;
  const chart = useMemo(() => visitChart(result), [result]);
  const stages = useMemo(() => stageBands(result), [result]);
  if (visits === null) return null;
  const films = filmBlocks(result);
  return (
    <Card title={texts.title}>
      <Stack gap={12}>
        <Blocks blocks={visitOverview(result)} />
        <div>
          {films.length === 0 ? null : (
            <Disclosure title={texts.films} summary={texts.filmsSummary}>
              <div className={styles.films}>
                {films.map((film) => (
                  <Film key={film.title} film={film} />
                ))}
              </div>
            </Disclosure>
          )}
          <Disclosure title={texts.tables} summary={texts.tablesSummary}>
            <Stack gap={16}>
              {chart === null ? null : (
                <ChartView from={0} to={endOf(result)} startedAt={run.startedAt} stages={stages} ranges={NO_RANGES} overloaded={NO_SPANS}>
                  <TimeChart {...chart} height={200} />
                </ChartView>
              )}
              <Blocks blocks={visitTables(result)} showTitles />
            </Stack>
          </Disclosure>
        </div>
      </Stack>
    </Card>
  );
});
