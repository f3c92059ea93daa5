import type { Finding } from '#core/report/result.ts';
import { formatElapsed } from '#core/charts/units.ts';
import { Disclosure } from '../components/Disclosure.tsx';
import { LevelMark } from '../components/LevelMark.tsx';
import { words } from '../words/words.ts';
import styles from './Findings.module.css';

const texts = words.results.findings;

/** What an expert would notice, gravest first; the numbers are those of the ranges in the charts. */
export function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  if (findings.length === 0) return <p className={styles.none}>{texts.none}</p>;
  return (
    <ol className={styles.findings}>
      {findings.map((finding, index) => (
        <li key={`${finding.id} ${finding.sentence}`} className={styles.finding}>
          <span className={styles.number}>{index + 1}</span>
          <LevelMark level={finding.level} />
          <div className={styles.body}>
            <p className={styles.sentence}>{finding.sentence}</p>
            <p className={styles.remedy}>{finding.remedy}</p>
            <Disclosure title={texts.evidence} summary={summaryOf(finding)} level={3}>
              <ul className={styles.evidence}>
                {finding.evidence.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            </Disclosure>
          </div>
        </li>
      ))}
    </ol>
  );
}

function summaryOf({ confidence, range }: Finding): string {
  const where = range ? [texts.range(formatElapsed(range.fromSecond), formatElapsed(range.toSecond))] : [];
  return [texts.confidence[confidence], ...where].join(', ');
}
