import { errorWords, isCheckError, isUnsent } from '#core/work/bodyCheck/words.ts';
import { formatCount } from '#core/base/units.ts';
import { useCall } from '#ui/app/backend.ts';
import { Cell, HeadCell, Row, Table } from '../components/Table.tsx';
import { shareWords } from '../run/Ledger.tsx';
import { words } from '../words/words.ts';
import { Disclosure } from '../components/Disclosure.tsx';
import { ProblemBanner } from '../components/ProblemBanner.tsx';
import { SampleList } from '../run/samples/SampleList.tsx';
import styles from './ResultPage.module.css';

interface CodeTablesProps {
  readonly status: Readonly<Record<string, number>>;
  readonly errors: Readonly<Record<string, number>>;
}

const texts = words.results.codes;

/** Answers by status, and what went wrong: errno and phase of requests without an answer, and failed checks of answers. */
export function CodeTables({ status, errors }: CodeTablesProps) {
  return (
    <div className={styles.figures}>
      <CodeTable caption={texts.status} counts={status} empty={texts.noStatus} />
      <CodeTable caption={texts.errors} counts={errors} empty={texts.noErrors} />
    </div>
  );
}

interface CodeTableProps {
  readonly caption: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly empty: string;
}

function CodeTable({ caption, counts, empty }: CodeTableProps) {
  const entries = Object.entries(counts).sort(([, a], [, b]) => b - a);
  const all = entries.reduce((sum, [, count]) => sum + count, 0);
  if (entries.length === 0)
    return (
      <div>
        <h3 className={styles.caption}>{caption}</h3>
        <p className={styles.quiet}>{empty}</p>
      </div>
    );
  return (
    <Table caption={caption} showCaption>
      <thead>
        <Row>
          <HeadCell>{texts.code}</HeadCell>
          <HeadCell numeric>{texts.count}</HeadCell>
          <HeadCell numeric>{texts.share}</HeadCell>
        </Row>
      </thead>
      <tbody>
        {entries.map(([code, count]) => (
          <Row key={code}>
            <HeadCell scope="row">{isCheckError(code) || isUnsent(code) ? errorWords(code) : code}</HeadCell>
            <Cell numeric>{formatCount(count)}</Cell>
            <Cell numeric>{shareWords(count, all)}</Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

const keptSamplesTexts = words.samples;

/** The first failures of each kind, with what was sent and what came back; nothing where none was kept. */
export function KeptSamples({ runId }: { readonly runId: string }) {
  const kept = useCall('runs.samples', { runId });
  if (kept.error) return <ProblemBanner problem={kept.error} onRetry={() => void kept.refetch()} />;
  if (!kept.data || kept.data.length === 0) return null;
  return (
    <Disclosure level={2} title={keptSamplesTexts.kept} summary={keptSamplesTexts.keptSummary(formatCount(kept.data.length))}>
      <SampleList samples={kept.data} />
    </Disclosure>
  );
}
