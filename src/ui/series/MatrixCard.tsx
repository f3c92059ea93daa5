import { useState } from 'react';
import { levelName } from '#core/series/levels.ts';
import type { SeriesResult, SeriesRow } from '#core/series/result.ts';
import { formatMs, formatRate, formatShare } from '#core/units.ts';
import { Card } from '../components/Card.tsx';
import { Stack } from '../components/Page.tsx';
import { Select } from '../components/Select.tsx';
import { Cell, HeadCell, Row, Table } from '../components/Table.tsx';
import { words } from '../words/words.ts';
import { fieldsOf, levelChoices, MEASURES, variantNames, type Measure } from './levelLines.ts';

const texts = words.series.matrix;
const CHOICES = MEASURES.map((value) => ({ value, label: texts.measures[value] }));
const FORMATS: Readonly<Record<Measure, (value: number) => string>> = { throughput: formatRate, p95: formatMs, failedShare: formatShare };

/** A series over two fields of the load as rows and columns, a table for each variant; nothing for other series. */
export function MatrixCard({ rows }: Pick<SeriesResult, 'rows'>) {
  const [measure, setMeasure] = useState<Measure>('throughput');
  const [across, down] = fieldsOf(rows);
  if (across === undefined || down === undefined) return null;
  const columns = levelChoices(rows, across);
  const lines = levelChoices(rows, down);
  const pick = (value: string): void => setMeasure(MEASURES.find((one) => one === value) ?? measure);
  return (
    <Card title={texts.title} actions={<Select label={texts.show} value={measure} choices={CHOICES} onChange={pick} />}>
      <Stack gap={16}>
        {variantNames(rows).map((name) => (
          <Table key={name} caption={texts.caption(name, texts.measures[measure])} showCaption>
            <thead>
              <Row>
                <HeadCell>{words.series.levelAxis[down]}</HeadCell>
                {columns.map(({ value, label }) => (
                  <HeadCell key={value} numeric>
                    {label}
                  </HeadCell>
                ))}
              </Row>
            </thead>
            <tbody>
              {lines.map((line) => (
                <Row key={line.value}>
                  <HeadCell scope="row">{line.label}</HeadCell>
                  {columns.map(({ value, label }) => (
                    <Cell key={value} numeric>
                      {placeText(
                        rows.find((row) => (row.variant ?? '') === name && levelName(row.level) === `${label}, ${line.label}`),
                        measure,
                      )}
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
function placeText(row: SeriesRow | undefined, measure: Measure): string {
  if (row === undefined) return '–';
  const spread = row[measure];
  return spread === null ? words.series.cellStates[row.state] : FORMATS[measure](spread.median);
}
