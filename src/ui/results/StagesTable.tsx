import type { RunResult } from '#core/report/result.ts';
import { formatCount, formatNumber } from '#core/units.ts';
import { Cell, HeadCell, Row, Table } from '../components/Table.tsx';
import { Term } from '../components/Term.tsx';
import { words } from '../words/words.ts';
import styles from './ResultPage.module.css';
import { percentileWords } from './timeWords.ts';

const texts = words.results.stages;

type Figures = RunResult['steps'][number];

/** The figures of each stage, and of each step within it where there are several. Stages are never pooled. */
export function StagesTable({ result }: { readonly result: RunResult }) {
  const { columns } = texts;
  return (
    <Table caption={texts.caption}>
      <thead>
        <Row>
          <HeadCell>{columns.name}</HeadCell>
          <HeadCell numeric>
            <Term name="connections">{columns.connections}</Term>
          </HeadCell>
          <HeadCell numeric>{columns.sent}</HeadCell>
          <HeadCell numeric>{columns.failed}</HeadCell>
          <HeadCell numeric>{columns.rate}</HeadCell>
          <HeadCell numeric>
            <Term name="p50">{columns.half}</Term>
          </HeadCell>
          <HeadCell numeric>
            <Term name="p95">{columns.p95}</Term>
          </HeadCell>
          <HeadCell numeric>
            <Term name="p99">{columns.p99}</Term>
          </HeadCell>
          <HeadCell numeric>{columns.max}</HeadCell>
          <HeadCell numeric>
            <Term name="errorAdjusted">{columns.adjusted}</Term>
          </HeadCell>
        </Row>
      </thead>
      <tbody>
        {result.stages.flatMap((stage) => [
          <FiguresRow key={stage.name} figures={stage} level={stage.level} isCounted={stage.counted} />,
          ...(stage.steps.length > 1
            ? stage.steps.map((step) => <FiguresRow key={`${stage.name} ${step.name}`} figures={step} level={null} isCounted />)
            : []),
        ])}
      </tbody>
    </Table>
  );
}

interface FiguresRowProps {
  readonly figures: Figures;
  /** null: a step within the stage above. */
  readonly level: RunResult['stages'][number]['level'] | null;
  readonly isCounted: boolean;
}

function FiguresRow({ figures, level, isCounted }: FiguresRowProps) {
  const { requests, latency, rates } = figures;
  const { service, errorAdjusted } = latency;
  return (
    <Row>
      <HeadCell scope="row">
        <span className={level === null ? styles.inner : undefined}>{figures.name}</span>
        {isCounted ? null : (
          <>
            {' '}
            <span className={styles.uncounted}>
              <Term name="counted">{texts.notCounted}</Term>
            </span>
          </>
        )}
      </HeadCell>
      <Cell numeric>{level === null ? '' : formatNumber(level.highest)}</Cell>
      <Cell numeric>{formatCount(requests.sent)}</Cell>
      <Cell numeric>{formatCount(requests.sent - requests.ok - requests.inFlight)}</Cell>
      <Cell numeric>{formatNumber(rates.completedPerSecond)}</Cell>
      <Cell numeric>{percentileWords(service.p50, 50)}</Cell>
      <Cell numeric>{percentileWords(service.p95, 95)}</Cell>
      <Cell numeric>{percentileWords(service.p99, 99)}</Cell>
      <Cell numeric>{percentileWords(service.max, 100)}</Cell>
      <Cell numeric>{errorAdjusted.p95 === 'never' ? words.common.never : percentileWords(errorAdjusted.p95, 95)}</Cell>
    </Row>
  );
}
