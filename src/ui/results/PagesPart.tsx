import type { PageFigures, PagesResult } from '#core/result/pages.ts';
import type { RunResult } from '#core/result/schema.ts';
import { apdexWords, contentWords } from '#core/presentation/text/textPages.ts';
import { formatCount, formatMs, formatNumber } from '#core/base/units.ts';
import { Cell, HeadCell, Row, Table } from '../components/Table.tsx';
import { Term } from '../components/Term.tsx';
import { words } from '../words/words.ts';
import styles from './ResultPage.module.css';
import { percentileWords } from './timeWords.ts';

const texts = words.results.pages;
const { columns } = texts;

interface PagesPartProps {
  readonly result: RunResult;
  readonly pages: PagesResult;
}

/** Whole pages, each kind by itself and all together, and where there are several stages those too. */
export function PagesPart({ result, pages }: PagesPartProps) {
  const left = Object.entries(pages.leftOut);
  return (
    <div className={styles.figures}>
      <p className={styles.note}>{contentWords(pages, result)}</p>
      <Table caption={texts.caption} stacks>
        <thead>
          <Row>
            <HeadCell>{columns.name}</HeadCell>
            <HeadCell numeric>{columns.pages}</HeadCell>
            <HeadCell numeric>
              <Term name="incompletePage">{columns.incomplete}</Term>
            </HeadCell>
            <HeadCell numeric>{columns.rate}</HeadCell>
            <HeadCell numeric>{columns.fastest}</HeadCell>
            <HeadCell numeric>
              <Term name="p50">{columns.half}</Term>
            </HeadCell>
            <HeadCell numeric>
              <Term name="p95">{columns.p95}</Term>
            </HeadCell>
            <HeadCell numeric>{columns.slowest}</HeadCell>
            <HeadCell numeric>
              <Term name="pageApdex">{columns.pageApdex}</Term>
            </HeadCell>
            <HeadCell numeric>
              <Term name="requestApdex">{columns.requestApdex}</Term>
            </HeadCell>
          </Row>
        </thead>
        <tbody>
          {pages.steps.map(({ name, figures }) => (
            <FiguresRow key={`step ${name}`} name={name} figures={figures} isInner />
          ))}
          {pages.stages.length > 1
            ? pages.stages.map(({ name, figures }) => (
                <FiguresRow key={`stage ${name}`} name={texts.inStage(name)} figures={figures} isInner={false} />
              ))
            : null}
          <FiguresRow name={texts.all} figures={pages.all} isInner={false} />
        </tbody>
      </Table>
      <p className={styles.note}>{texts.threshold(formatMs(pages.all.thresholdMs))}</p>
      {left.length === 0 ? null : (
        <p className={styles.note}>{texts.leftOut(left.map(([host, count]) => texts.leftOutHost(host, formatCount(count))).join(', '))}</p>
      )}
    </div>
  );
}

interface FiguresRowProps {
  readonly name: string;
  readonly figures: PageFigures;
  readonly isInner: boolean;
}

function FiguresRow({ name, figures, isInner }: FiguresRowProps) {
  const { complete, incomplete, completePerSecond, times, errorAdjusted, pageApdex, requestApdex } = figures;
  return (
    <Row>
      <HeadCell scope="row">
        <span className={isInner ? styles.inner : undefined}>{name}</span>
      </HeadCell>
      <Cell numeric label={columns.pages}>
        {formatCount(complete + incomplete)}
      </Cell>
      <Cell numeric label={columns.incomplete}>
        {formatCount(incomplete)}
      </Cell>
      <Cell numeric label={columns.rate}>
        {formatNumber(completePerSecond)}
      </Cell>
      <Cell numeric label={columns.fastest}>
        {percentileWords(times.min, 0)}
      </Cell>
      <Cell numeric label={columns.half}>
        {percentileWords(errorAdjusted.p50, 50)}
      </Cell>
      <Cell numeric label={columns.p95}>
        {percentileWords(errorAdjusted.p95, 95)}
      </Cell>
      <Cell numeric label={columns.slowest}>
        {percentileWords(times.max, 100)}
      </Cell>
      <Cell numeric label={columns.pageApdex}>
        {apdexWords(pageApdex.value)}
      </Cell>
      <Cell numeric label={columns.requestApdex}>
        {apdexWords(requestApdex.value)}
      </Cell>
    </Row>
  );
}
