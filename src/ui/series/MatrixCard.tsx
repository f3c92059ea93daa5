import { useState } from 'react';
import { matricesOf, MATRIX_MEASURES, type MatrixPlace } from '#core/series/matrix.ts';
import type { SeriesResult } from '#core/series/result.ts';
import { formatCount, formatMs } from '#core/base/units.ts';
import { Card } from '../components/Card.tsx';
import { Stack } from '../components/Page.tsx';
import { Select } from '../components/Select.tsx';
import { Cell, HeadCell, Row, Table } from '../components/Table.tsx';
import { words } from '../words/words.ts';
import { Disclosure } from '../components/Disclosure.tsx';
import styles from './SeriesPage.module.css';

const texts = words.series.matrix;
const CHOICES = MATRIX_MEASURES.map((value) => ({ value, label: texts.measures[value] }));

/** A series over two fields of the load as rows and columns, a table for each variant; nothing for other series. */
export function MatrixCard({ rows }: Pick<SeriesResult, 'rows'>) {
  const [measure, setMeasure] = useState<(typeof MATRIX_MEASURES)[number]>('throughput');
  const matrices = matricesOf(rows, measure);
  if (matrices.length === 0) return null;
  const pick = (value: string): void => setMeasure(MATRIX_MEASURES.find((one) => one === value) ?? measure);
  return (
    <Card title={texts.title} actions={<Select label={texts.show} value={measure} choices={CHOICES} onChange={pick} />}>
      <Stack gap={16}>
        {matrices.map(({ variant, down, columns, rows: lines }) => (
          <Table key={variant} caption={texts.caption(variant, texts.measures[measure])} showCaption>
            <thead>
              <Row>
                <HeadCell>{words.series.levelAxis[down]}</HeadCell>
                {columns.map((label) => (
                  <HeadCell key={label} numeric>
                    {label}
                  </HeadCell>
                ))}
              </Row>
            </thead>
            <tbody>
              {lines.map(({ label, places }) => (
                <Row key={label}>
                  <HeadCell scope="row">{label}</HeadCell>
                  {places.map((place, index) => (
                    <Cell key={columns[index]} numeric>
                      {placeText(place)}
                    </Cell>
                  ))}
                </Row>
              ))}
            </tbody>
          </Table>
        ))}
      </Stack>
    </Card>
  );
}

/** The figure of a measured cell; else what became of it, in a word. */
function placeText({ figure, state }: MatrixPlace): string {
  return figure ?? (state === null ? '–' : words.series.cellStates[state]);
}

const commandsTexts = words.series;

/** Every command that was run, for which cell, how it ended and what it wrote; nothing where there were none. */
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
