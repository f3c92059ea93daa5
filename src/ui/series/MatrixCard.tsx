import { useState } from 'react';
import { MATRIX_MEASURES } from '#core/series/matrix.ts';
import { matrixTables, MEASURE_NAMES } from '#core/presentation/document/seriesTables.ts';
import type { SeriesResult } from '#core/series/result.ts';
import { formatCount, formatMs } from '#core/base/units.ts';
import { Blocks } from '../components/Blocks.tsx';
import { Card } from '#ui/components/Page.tsx';
import { Select } from '#ui/components/Choices.tsx';
import { words } from '../words/words.ts';
import { Disclosure } from '../components/Disclosure.tsx';
import styles from './SeriesPage.module.css';

const texts = words.series.matrix;
const CHOICES = MATRIX_MEASURES.map((value) => ({ value, label: MEASURE_NAMES[value] }));

/**
 * Shows, for a series over two load fields, a table per variant with one field as rows and the other as columns. Renders nothing for other
 * series.
 */
export function MatrixCard({ rows }: Pick<SeriesResult, 'rows'>) {
  const [measure, setMeasure] = useState<(typeof MATRIX_MEASURES)[number]>('throughput');
  const matrices = matrixTables({ rows }, measure);
  if (matrices.length === 0) return null;
  const chooseMeasure = (value: string): void => setMeasure(MATRIX_MEASURES.find((one) => one === value) ?? measure);
  return (
    <Card title={texts.title} actions={<Select isBeside label={texts.show} value={measure} choices={CHOICES} onChange={chooseMeasure} />}>
      <Blocks blocks={matrices} showTitles />
    </Card>
  );
}

const commandsTexts = words.series;

/** Table of all commands with their cell, exit status and output. Renders nothing if there were no commands. */
export function Commands({ rows }: Pick<SeriesResult, 'rows'>) {
  const records = rows
    .flatMap(({ runs }) => runs)
    .sort((a, b) => a.position - b.position)
    .flatMap(({ cell, repeat, commands }) => commands.map((command, index) => ({ ...command, key: `${cell} ${repeat} ${index}`, cell })));
  if (records.length === 0) return null;
  return (
    <Disclosure title={commandsTexts.commands} summary={commandsTexts.commandsSummary(formatCount(records.length))} level={2}>
      <ol className={styles.commands}>
        {records.map(({ key, cell, when, run, exitCode, seconds, output, problem }) => (
          <li key={key}>
            <p>
              {commandsTexts.commandWhen[when]} {cell} · {problem ?? commandsTexts.commandEnded(exitCode, formatMs(1_000 * seconds))}
            </p>
            <pre>{`$ ${run}\n${output === '' ? commandsTexts.noOutput : output}`}</pre>
          </li>
        ))}
      </ol>
    </Disclosure>
  );
}
