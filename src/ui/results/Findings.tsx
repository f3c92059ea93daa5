import { formatCount } from '#core/base/units.ts';
import { causeLines } from '#core/result/overloadWords.ts';
import type { Finding } from '#core/result/schema.ts';
import { rangeText } from '#core/presentation/document/words.ts';
import { Disclosure } from '../components/Disclosure.tsx';
import { Button } from '../components/Button.tsx';
import { LevelMark } from '../components/LevelMark.tsx';
import { words } from '../words/words.ts';
import styles from './Findings.module.css';

const texts = words.results.findings;

interface FindingsProps {
  readonly findings: readonly Finding[];
  /** Shows where in the charts the finding at this place is. */
  readonly onShow: (index: number) => void;
  /** The pointer or the keyboard is on the finding at this place, or has left it (null). */
  readonly onLook: (index: number | null) => void;
}

/** Of more than this, the last are folded: what a reader looks for first is what was grave. */
const MAX_OPEN_PROBLEMS = 3;
const MAX_OPEN = 2;

/** How many findings stand open: the first two, and a third one that is a problem. */
export function openFindings(findings: readonly Pick<Finding, 'level'>[]): number {
  return findings.slice(0, MAX_OPEN_PROBLEMS).filter(({ level }, index) => index < MAX_OPEN || level === 'problem').length;
}

/** What an expert would notice, gravest first; the numbers are those of the ranges in the charts. */
export function Findings({ findings, ...acts }: FindingsProps) {
  if (findings.length === 0) return <p className={styles.none}>{texts.none}</p>;
  const open = openFindings(findings);
  const folded = findings.slice(open);
  return (
    <>
      <FindingList findings={findings.slice(0, open)} before={0} {...acts} />
      {folded.length === 0 ? null : (
        <div className={styles.more}>
          <Disclosure title={texts.more(folded.length, formatCount(folded.length))}>
            <FindingList findings={folded} before={open} {...acts} />
          </Disclosure>
        </div>
      )}
    </>
  );
}

/** `before`: how many findings stand above these. */
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
            <LevelMark level={finding.level} />
            <div className={styles.body}>
              <p className={styles.sentence}>{finding.sentence}</p>
              <Causes finding={finding} />
              <p className={styles.remedy}>{finding.remedy}</p>
              <Disclosure title={texts.evidence} summary={summaryOf(finding)} level={3}>
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

/** Several causes of it, each with what removes it. */
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

/** The numbers that it follows from. */
function FindingFigures({ finding: { figures, sentence } }: { readonly finding: Finding }) {
  if (figures === undefined || figures.length === 0) return null;
  return (
    <table className={styles.figures} aria-label={texts.figuresOf(sentence)}>
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

function summaryOf({ confidence, range }: Finding): string {
  return [texts.confidence[confidence], ...(range ? [rangeText(range)] : [])].join(', ');
}
