import { useState } from 'react';
import { matricesOf, MATRIX_MEASURES, type MatrixPlace } from '#core/series/matrix.ts';
import type { SeriesResult } from '#core/series/result.ts';
import { Card } from '../components/Card.tsx';
import { Stack } from '../components/Page.tsx';
import { Select } from '../components/Select.tsx';
import { Cell, HeadCell, Row, Table } from '../components/Table.tsx';
import { words } from '../words/words.ts';

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
