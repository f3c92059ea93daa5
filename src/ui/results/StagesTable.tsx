import { failedRequests } from '#core/measurement/ledger.ts';
import type { RunResult } from '#core/result/schema.ts';
import { occurring } from '#core/result/countsOfRun.ts';
import { formatCount, formatMs, formatNumber, formatPercent } from '#core/base/units.ts';
import { Cell, HeadCell, Row, Table } from '../components/Table.tsx';
import { Term } from '../components/Term.tsx';
import { shareWords } from '../run/Ledger.tsx';
import { words } from '../words/words.ts';
import { levelWords } from './levelWords.ts';
import { PercentileCells } from './PercentileCells.tsx';
import { percentileWords } from './timeWords.ts';
import styles from './ResultPage.module.css';

const texts = words.results.stages;
const { columns } = texts;

const LOAD_TERMS = { connections: 'connections', users: 'users', arrivals: 'arrivalRate' } as const;

type StageFigures = RunResult['stages'][number];
type Figures = RunResult['steps'][number];

/** The figures of each stage, and of each step within it where there are several. Stages are never pooled. */
export function StagesTable({ result }: { readonly result: RunResult }) {
  const isOpen = result.plan.load.model === 'arrivals';
  return (
    <Table caption={texts.caption} stacks>
      <thead>
        <Row>
          <HeadCell>{columns.name}</HeadCell>
          <HeadCell numeric>
            <Term name={LOAD_TERMS[result.plan.load.model]}>{columns.load}</Term>
          </HeadCell>
          {isOpen ? (
            <HeadCell numeric>
              <Term name="offered">{columns.offered}</Term>
            </HeadCell>
          ) : null}
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
            <span className={styles.longHead}>
              <Term name="errorAdjusted">{columns.adjusted}</Term>
            </span>
          </HeadCell>
        </Row>
      </thead>
      <tbody>
        {result.stages.flatMap((stage) => [
          <FiguresRow key={stage.name} figures={stage} stage={stage} isOpen={isOpen} />,
          ...(stage.steps.length > 1
            ? occurring(result, stage.steps).map((step) => (
                <FiguresRow key={`${stage.name} ${step.name}`} figures={step} stage={null} isOpen={isOpen} />
              ))
            : []),
        ])}
      </tbody>
    </Table>
  );
}

interface FiguresRowProps {
  readonly figures: Figures;
  /** null: a step within the stage above. */
  readonly stage: StageFigures | null;
  readonly isOpen: boolean;
}

function FiguresRow({ figures, stage, isOpen }: FiguresRowProps) {
  const { requests, latency, rates } = figures;
  const { response, errorAdjusted } = latency;
  return (
    <Row>
      <HeadCell scope="row">
        <span className={stage === null ? styles.inner : undefined}>{figures.name}</span>
        {stage === null || stage.counted ? null : (
          <>
            {' '}
            <span className={styles.uncounted}>
              <Term name="counted">{texts.notCounted}</Term>
            </span>
          </>
        )}
        {figures.budget === undefined ? null : (
          <span className={styles.cause}>
            {texts.budget(figures.budget.share === null ? '' : formatPercent(figures.budget.share), formatMs(figures.budget.limitMs))}
          </span>
        )}
        {stage?.startUp ? <span className={styles.cause}>{texts.startUp(formatCount(stage.startUp.requests.sent))}</span> : null}
      </HeadCell>
      <Cell numeric label={columns.load}>
        {stage === null ? '' : levelWords(stage.level)}
      </Cell>
      {isOpen ? (
        <Cell numeric label={columns.offered}>
          {stage === null ? null : <Offered stage={stage} />}
        </Cell>
      ) : null}
      <Cell numeric label={columns.sent}>
        {formatCount(requests.sent)}
      </Cell>
      <Cell numeric label={columns.failed}>
        {formatCount(failedRequests(requests))}
      </Cell>
      <Cell numeric label={columns.rate}>
        {formatNumber(rates.completedPerSecond)}
      </Cell>
      <PercentileCells times={response} />
      <Cell numeric label={columns.adjusted}>
        {errorAdjusted.p95 === 'never' ? words.common.never : percentileWords(errorAdjusted.p95, 95)}
      </Cell>
    </Row>
  );
}

/** How much of what was due was started, and whose fault the rest was. */
function Offered({ stage }: { readonly stage: StageFigures }) {
  const { offeredShare: share, notStartedTarget, notStartedGenerator } = stage.journeys;
  if (stage.startedAtSecond === null) return <>{texts.notReached}</>;
  return (
    <span>
      {share === null
        ? stage.journeys.planned === 0
          ? texts.nothingDue
          : words.common.notKnown
        : shareWords(share, 1) || formatPercent(share)}
      {notStartedTarget > 0 ? <span className={styles.cause}>{texts.byTarget(formatCount(notStartedTarget))}</span> : null}
      {notStartedGenerator > 0 ? <span className={styles.cause}>{texts.byGenerator(formatCount(notStartedGenerator))}</span> : null}
    </span>
  );
}
