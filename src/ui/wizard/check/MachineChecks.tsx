import type { CheckFinding } from '#core/checks/finding.ts';
import type { Plan } from '#core/plan/schema.ts';
import { useCall } from '#ui/app/backend.ts';
import { Card } from '#ui/components/Card.tsx';
import { CopyButton } from '#ui/components/CopyButton.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { LevelMark } from '#ui/components/LevelMark.tsx';
import { ProblemBanner } from '#ui/components/ProblemBanner.tsx';
import { Block, Skeleton } from '#ui/components/Skeleton.tsx';
import { words } from '#ui/words/words.ts';
import styles from './CheckPage.module.css';

/** Findings about this computer for this plan; those that are fine are folded into one line. */
export function MachineChecks({ plan }: { readonly plan: Plan }) {
  const checks = useCall('checks.machine', { plan });
  const say = words.wizard.check;
  return (
    <Card title={say.machine}>
      <p className={styles.muted}>{say.machineStory}</p>
      {checks.error ? <ProblemBanner problem={checks.error} onRetry={() => void checks.refetch()} /> : null}
      {checks.isPending ? (
        <Skeleton waitingFor={say.machineWaiting}>
          <Block height={48} />
          <Block height={48} />
        </Skeleton>
      ) : null}
      {checks.data ? <Findings findings={checks.data} /> : null}
    </Card>
  );
}

const ORDER: readonly CheckFinding['level'][] = ['problem', 'warning', 'unknown', 'info'];

function Findings({ findings }: { readonly findings: readonly CheckFinding[] }) {
  const fine = findings.filter(({ level }) => level === 'ok');
  const others = findings.filter(({ level }) => level !== 'ok').sort((a, b) => ORDER.indexOf(a.level) - ORDER.indexOf(b.level));
  return (
    <>
      <FindingList findings={others} />
      {fine.length > 0 ? (
        <Disclosure title={<LevelledFine count={fine.length} />}>
          <FindingList findings={fine} />
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

function FindingList({ findings }: { readonly findings: readonly CheckFinding[] }) {
  if (findings.length === 0) return null;
  return (
    <ul className={styles.findings}>
      {findings.map((finding) => (
        <li key={finding.id} className={styles.finding}>
          <LevelMark level={finding.level} />
          <Finding finding={finding} />
        </li>
      ))}
    </ul>
  );
}

function Finding({ finding }: { readonly finding: CheckFinding }) {
  const { title, evidence, matters, remedy } = finding;
  const say = words.wizard.check;
  return (
    <div className={styles.facts}>
      <p>
        <span className={styles.findingTitle}>{title}</span>
        {evidence ? <span className={styles.muted}> {evidence}</span> : null}
      </p>
      {matters ? <p>{matters}</p> : null}
      {remedy ? (
        <div className={styles.facts}>
          <p>
            <b>{say.fix}:</b> {remedy.text}
          </p>
          {remedy.command ? <Command text={remedy.command} /> : null}
          {remedy.undo ? (
            <p className={styles.muted}>
              {say.undo}: <code>{remedy.undo}</code>
            </p>
          ) : null}
          {remedy.risk ? (
            <p className={styles.muted}>
              {say.risk}: {remedy.risk}
            </p>
          ) : null}
        </div>
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
