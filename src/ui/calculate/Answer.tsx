import type { Calculation } from '#core/calculators/calculator.ts';
import { formatFigure } from '#core/calculators/format.ts';
import { Card } from '../components/Card.tsx';
import { LevelMark } from '../components/LevelMark.tsx';
import { Cell, HeadCell, Row, Table } from '../components/Table.tsx';
import { words } from '../words/words.ts';
import styles from './CalculatePage.module.css';

/** The answer in a sentence, the figures it comes from, and what to know about them. */
export function Answer({ calculation: { sentence, table, notes } }: { readonly calculation: Calculation }) {
  const say = words.calculate;
  return (
    <>
      <Card title={say.answer}>
        <p className={styles.sentence} aria-live="polite">
          {sentence}
        </p>
      </Card>
      <Card title={table.caption} flush>
        <Table caption={table.caption}>
          <thead>
            <Row>
              <HeadCell>{say.what}</HeadCell>
              {table.columns.map((column) => (
                <HeadCell key={column} numeric>
                  {column}
                </HeadCell>
              ))}
            </Row>
          </thead>
          <tbody>
            {table.rows.map(({ label, kind, values }) => (
              <Row key={label}>
                <HeadCell scope="row">{label}</HeadCell>
                {table.columns.map((column, index) => (
                  <Cell key={column} numeric>
                    {formatFigure(kind, values[index] ?? null)}
                  </Cell>
                ))}
              </Row>
            ))}
          </tbody>
        </Table>
      </Card>
      {notes.length > 0 ? (
        <Card title={say.notes}>
          <ul className={styles.notes}>
            {notes.map(({ level, text }) => (
              <li key={text} className={styles.note}>
                <LevelMark level={level} />
                <span>{text}</span>
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
    </>
  );
}
