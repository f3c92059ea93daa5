import { memo, useMemo } from 'react';
import { type OpeningChart, openingCharts } from '#core/presentation/charts/bellSeries.ts';
import { openingTiles } from '#core/presentation/document/bells.ts';
import type { ShadedRange, Span, StageBand } from '#core/presentation/charts/types.ts';
import type { BellResult } from '#core/result/bells.ts';
import type { BlockOf } from '#core/presentation/document/model.ts';
import { ChartView } from '../charts/ChartView.tsx';
import { TimeChart } from '../charts/TimeChart.tsx';
import { classes } from '../components/classes.ts';
import { Card, Stack } from '../components/Page.tsx';
import { Film } from '../components/Film.tsx';
import { Tiles } from '../components/Tiles.tsx';
import { laterWords } from '../words/laterWords.ts';
import styles from './Openings.module.css';

const NO_STAGES: readonly StageBand[] = [];
const NO_RANGES: readonly ShadedRange[] = [];
const NO_SPANS: readonly Span[] = [];

interface OpeningsProps {
  readonly bells: readonly BellResult[];
  /** Returns the films of a visitor at the bell; default: none. */
  readonly filmsAt?: (bell: BellResult) => readonly BlockOf<'film'>[];
  /** Time of second 0 of the run as ISO 8601. */
  readonly startedAt: string;
}

/** A card for each bell that rang. It shows how soon the waiting users were served. */
export const Openings = memo(function Openings({ bells, filmsAt = noFilms, startedAt }: OpeningsProps) {
  const openings = useMemo(() => openingCharts(bells.filter(({ isCalledOff }) => isCalledOff !== true)), [bells]);
  if (openings.length === 0) return null;
  const films = openings.map(({ bell }) => filmsAt(bell));
  return (
    <div className={classes(styles.openings, films.some((own) => own.length > 0) && styles.filmed)}>
      {openings.map((opening, index) => (
        <Opening key={opening.bell.step} opening={opening} films={films[index] ?? []} startedAt={startedAt} />
      ))}
    </div>
  );
});

function noFilms(): readonly BlockOf<'film'>[] {
  return [];
}

interface OpeningProps {
  readonly opening: OpeningChart;
  readonly films: readonly BlockOf<'film'>[];
  readonly startedAt: string;
}

function Opening({ opening: { bell, chart, toSeconds }, films, startedAt }: OpeningProps) {
  const rangAt = new Date(Date.parse(startedAt) + bell.atSecond * 1_000).toISOString();
  return (
    <Card title={laterWords.run.bells.title(bell.bell)}>
      <Stack gap={16}>
        <Tiles isCompact label={laterWords.run.bells.figures(bell.bell)} tiles={openingTiles(bell)} />
        <div className={styles.course}>
          <ChartView from={0} to={toSeconds} startedAt={rangAt} stages={NO_STAGES} ranges={NO_RANGES} overloaded={NO_SPANS}>
            <TimeChart {...chart} height={220} />
          </ChartView>
          {films.length === 0 ? null : (
            <div className={styles.films}>
              {films.map((film) => (
                <Film key={film.title} film={film} />
              ))}
            </div>
          )}
        </div>
      </Stack>
    </Card>
  );
}
