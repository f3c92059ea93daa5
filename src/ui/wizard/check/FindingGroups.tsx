import type { CheckFinding } from '#core/machines/checks/finding.ts';
import { CopyButton } from '#ui/components/Button.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { LevelMark } from '#ui/components/Marks.tsx';
import { words } from '#ui/words/words.ts';
import { ApplyRemedy, type Checked } from './ApplyRemedy.tsx';
import styles from './CheckPage.module.css';

const ORDER: readonly CheckFinding['level'][] = ['problem', 'warning', 'unknown', 'info'];

interface FindingsProps {
  readonly findings: readonly CheckFinding[];
  /** Checked machine with its role and the plan. */
  readonly checked: Checked;
  /** Called after a setting was changed, which makes the findings outdated. */
  readonly onChanged: () => void;
}

/** Findings about one machine, most severe first; passed checks are folded into one line. */
export function FindingGroups({ findings, ...rest }: FindingsProps) {
  const fine = findings.filter(({ level }) => level === 'ok');
  const others = findings.filter(({ level }) => level !== 'ok').sort((a, b) => ORDER.indexOf(a.level) - ORDER.indexOf(b.level));
  return (
    <>
      <FindingList findings={others} {...rest} />
      {fine.length > 0 ? (
        <Disclosure title={<LevelledFine count={fine.length} />}>
          <FindingList findings={fine} {...rest} />
        </Disclosure>
      ) : null}
    </>
  );
}

function LevelledFine({ count }: { readonly count: number }) {
  return (
    <span className={styles.fine}>
      <LevelMark level="ok" /> {words.wizard.check.fine(count)}
    </span>
  );
}

/** Findings in the given order. */
export function FindingList({ findings, ...rest }: FindingsProps) {
  if (findings.length === 0) return null;
  return (
    <ul className={styles.findings}>
      {findings.map((finding) => (
        <li key={finding.id} className={styles.finding}>
          <LevelMark level={finding.level} />
          <Finding finding={finding} {...rest} />
        </li>
      ))}
    </ul>
  );
}

interface FindingProps extends Omit<FindingsProps, 'findings'> {
  readonly finding: CheckFinding;
}

function Finding({ finding, checked, onChanged }: FindingProps) {
  const { title, evidence, matters, remedy, explain } = finding;
  const say = words.wizard.check;
  return (
    <div className={styles.facts}>
      <p>
        <span className={styles.findingTitle}>{title}</span>
        {evidence ? <span className="muted"> {evidence}</span> : null}
      </p>
      {matters ? <p>{matters}</p> : null}
      {remedy ? (
        <div className={styles.facts}>
          <p>
            <b>{say.fix}:</b> {remedy.text}
          </p>
          {remedy.command ? <Command text={remedy.command} /> : null}
          {remedy.undo ? (
            <p className="muted">
              {say.undo}: <code>{remedy.undo}</code>
            </p>
          ) : null}
          {remedy.risk ? (
            <p className="muted">
              {say.risk}: {remedy.risk}
            </p>
          ) : null}
          {remedy.change ? <ApplyRemedy id={finding.id} remedy={remedy} checked={checked} onChanged={onChanged} /> : null}
        </div>
      ) : null}
      {explain ? (
        <Disclosure title={say.explain}>
          <p className="muted">{explain}</p>
        </Disclosure>
      ) : null}
    </div>
  );
}

function Command({ text }: { readonly text: string }) {
  return (
    <div className={styles.command}>
      <code>{text}</code>
      <CopyButton text={text} />
    </div>
  );
}
