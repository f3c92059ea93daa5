import { isJudged, formatSmallest } from '#core/series/smallest.ts';
import { lineTable, machineTable } from '#core/presentation/document/seriesTables.ts';
import type { SeriesResult } from '#core/series/result.ts';
import { Blocks, Sentences } from '../components/Blocks.tsx';
import { Disclosure } from '../components/Disclosure.tsx';
import { words } from '../words/words.ts';
import styles from './SeriesPage.module.css';

const texts = words.series;

/** Conclusions from the factors of a series: the smallest machine that suffices, and how time depends on amounts. */
export function FactorConclusions({ smallest, fits }: Pick<SeriesResult, 'smallest' | 'fits'>) {
  const judged = smallest.filter(isJudged);
  return (
    <>
      {smallest.length === 0 ? null : (
        <>
          <h3 className={styles.subtitle}>{texts.smallest.title}</h3>
          <Sentences list={formatSmallest(smallest)} />
          {/* A single condition has a visible table. If there are several, sentences state the results, and the tables are collapsed. */}
          {judged.map((conclusion) =>
            judged.length === 1 ? (
              <Blocks key={conclusion.condition} blocks={machineTable(conclusion)} />
            ) : (
              <Disclosure key={conclusion.condition} level={4} title={texts.smallest.all} summary={conclusion.condition}>
                <Blocks blocks={machineTable(conclusion)} />
              </Disclosure>
            ),
          )}
        </>
      )}
      {fits.length === 0 ? null : (
        <>
          <h3 className={styles.subtitle}>{texts.fit.title}</h3>
          <Sentences list={fits.map(({ text }) => text)} />
          {fits.map((fit) =>
            fit.refused === null ? (
              <Disclosure key={fit.condition} title={texts.fit.show} summary={fit.condition === '' ? undefined : fit.condition}>
                <Blocks blocks={lineTable(fit)} />
              </Disclosure>
            ) : null,
          )}
        </>
      )}
    </>
  );
}
