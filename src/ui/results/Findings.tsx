import { formatCount } from '#core/base/units.ts';
import { causeLines } from '#core/result/generatorNames.ts';
import type { Finding } from '#core/result/schema.ts';
import { rangeText } from '#core/presentation/document/words.ts';
import { Disclosure } from '../components/Disclosure.tsx';
import { Button } from '../components/Button.tsx';
import { SeverityMark } from '#ui/components/Marks.tsx';
import { words } from '../words/words.ts';
import styles from './Findings.module.css';

const texts = words.results.findings;

interface FindingsProps {
  readonly findings: readonly Finding[];
  /** Called to show the finding with this index in the charts. */
  readonly onShow: (index: number) => void;
  /** Called with the index of the finding that is hovered or focused; null when that ends. */
  readonly onLook: (index: number | null) => void;
}

/** Maximum numbers of findings that are visible. Others are collapsed. */
const MAX_OPEN_PROBLEMS = 3;
const MAX_OPEN = 2;

/** Returns the number of visible findings: the first two, and the third one if it is a problem. */
export function openFindings(findings: readonly Pick<Finding, 'level'>[]): number {
  return findings.slice(0, MAX_OPEN_PROBLEMS).filter(({ level }, index) => index < MAX_OPEN || level === 'problem').length;
}

/** List of findings, most severe first. The ranges in the charts have the same numbers. */
export function Findings({ findings, ...acts }: FindingsProps) {
  if (findings.length === 0) return <p className={styles.none}>{texts.none}</p>;
  const open = openFindings(findings);
  const foldedFindings = findings.slice(open);
  return (
    <>
      <FindingList findings={findings.slice(0, open)} before={0} {...acts} />
      {foldedFindings.length === 0 ? null : (
        <div className={styles.more}>
          <Disclosure title={texts.more(foldedFindings.length, formatCount(foldedFindings.length))}>
            <FindingList findings={foldedFindings} before={open} {...acts} />
          </Disclosure>
        </div>
      )}
    </>
  );
}

/** Part of the list of findings. `before` is the number of findings above this part. */
function FindingList({ findings, before, onShow, onLook }: FindingsProps & { readonly before: number }) {
  return (
    <ol className={styles.findings}>
      {findings.map((finding, place) => {
        const index = before + place;
        return (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- [nothing is pressed: the charts show where the finding is while it is read, which its button does too]
          <li
            key={`${finding.id} ${finding.sentence}`}
            className={styles.finding}
            onPointerEnter={() => onLook(index)}
            onPointerLeave={() => onLook(null)}
            onFocus={() => onLook(index)}
            onBlur={() => onLook(null)}
          >
            <span className={styles.number}>{index + 1}</span>
            <SeverityMark level={finding.level} />
            <div className={styles.body}>
              <p className={styles.sentence}>{finding.sentence}</p>
              <Causes finding={finding} />
              <p className={styles.remedy}>{finding.remedy}</p>
              <Disclosure title={texts.evidence} summary={getSummary(finding)} level={3}>
                <FindingFigures finding={finding} />
                <ul className={styles.evidence}>
                  {finding.evidence.map((line) => (
                    <li key={line}>{line}</li>
                  ))}
                </ul>
              </Disclosure>
            </div>
            {finding.range ? (
              <div className={styles.show}>
                <Button look="quiet" size="small" aria-label={texts.showNumber(index + 1)} onPress={() => onShow(index)}>
                  {texts.show}
                </Button>
              </div>
            ) : null}
          </li>
        );
      })}
    </ol>
  );
}

/** Possible causes of a finding, each with its remedy. */
function Causes({ finding }: { readonly finding: Finding }) {
  const lines = causeLines(finding);
  return lines.length === 0 ? null : (
    <ul className={styles.causes} aria-label={texts.causesOf(finding.sentence)}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

/** Figures on which a finding is based. */
function FindingFigures({ finding: { figures, sentence } }: { readonly finding: Finding }) {
  if (figures === undefined || figures.length === 0) return null;
  return (
    <table className={styles.figures} aria-label={texts.computeFigures(sentence)}>
      <tbody>
        {figures.map(({ what, value }) => (
          <tr key={`${what} ${value}`}>
            <th scope="row">{what}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function getSummary({ confidence, range }: Finding): string {
  return [texts.confidence[confidence], ...(range ? [rangeText(range)] : [])].join(', ');
}
