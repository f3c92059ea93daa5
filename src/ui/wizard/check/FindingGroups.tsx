import type { CheckFinding, Remedy, Role } from '#core/machines/checks/finding.ts';
import { CopyButton, Button } from '#ui/components/Button.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { SeverityMark } from '#ui/components/Marks.tsx';
import { words } from '#ui/words/words.ts';
import styles from './CheckPage.module.css';
import { useState } from 'react';
import type { Plan } from '#core/plan/schema/plan.ts';
import { useAction } from '#ui/shared/backend.ts';
import { HostProblem } from '#ui/shared/machines/HostProblem.tsx';
import { Confirm } from '#ui/components/Dialog.tsx';
import { Stack } from '#ui/components/Page.tsx';

const ORDER: readonly CheckFinding['level'][] = ['problem', 'warning', 'unknown', 'info'];

interface FindingsProps {
  readonly findings: readonly CheckFinding[];
  /** The machine that was checked, with its role and the plan. */
  readonly checked: Checked;
  /** Called after a setting was changed, because the findings are then outdated. */
  readonly onChanged: () => void;
}

/** Findings about one machine, most severe first. Passed checks are collapsed into one line. */
export function FindingGroups({ findings, ...rest }: FindingsProps) {
  const fine = findings.filter(({ level }) => level === 'ok');
  const otherFindings = findings.filter(({ level }) => level !== 'ok').sort((a, b) => ORDER.indexOf(a.level) - ORDER.indexOf(b.level));
  return (
    <>
      <FindingList findings={otherFindings} {...rest} />
      {fine.length > 0 ? (
        <Disclosure title={<FineCount count={fine.length} />}>
          <FindingList findings={fine} {...rest} />
        </Disclosure>
      ) : null}
    </>
  );
}

function FineCount({ count }: { readonly count: number }) {
  return (
    <span className={styles.fine}>
      <SeverityMark level="ok" /> {words.wizard.check.fine(count)}
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
          <SeverityMark level={finding.level} />
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
  const checkWords = words.wizard.check;
  return (
    <Stack gap={4}>
      <p>
        <b>{title}</b>
        {evidence ? <span className="muted"> {evidence}</span> : null}
      </p>
      {matters ? <p>{matters}</p> : null}
      {remedy ? (
        <Stack gap={4}>
          <p>
            <b>{checkWords.fix}:</b> {remedy.text}
          </p>
          {remedy.command ? <Command text={remedy.command} /> : null}
          {remedy.undo ? (
            <p className="muted">
              {checkWords.undo}: <code>{remedy.undo}</code>
            </p>
          ) : null}
          {remedy.risk ? (
            <p className="muted">
              {checkWords.risk}: {remedy.risk}
            </p>
          ) : null}
          {remedy.change ? <ApplyRemedy id={finding.id} remedy={remedy} checked={checked} onChanged={onChanged} /> : null}
        </Stack>
      ) : null}
      {explain ? (
        <Disclosure title={checkWords.explain}>
          <p className="muted">{explain}</p>
        </Disclosure>
      ) : null}
    </Stack>
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

export interface Checked {
  /** Name of the host; null for this computer. */
  readonly host: string | null;
  readonly role: Role;
  readonly plan: Plan | null;
  readonly agreed: string[];
}

interface ApplyRemedyProps {
  readonly id: string;
  readonly remedy: Remedy;
  readonly checked: Checked;
  readonly onChanged: () => void;
}

/** Offers to change a setting. The user first sees the command and confirms it. */
function ApplyRemedy({ id, remedy, checked, onChanged }: ApplyRemedyProps) {
  const [isAsking, setAsking] = useState(false);
  const apply = useAction('checks.apply', ['checks.changes']);
  const applyWords = words.wizard.check.apply;
  const { change, command, undo, risk } = remedy;
  if (change === undefined) return null;
  const close = (): void => {
    setAsking(false);
    apply.reset();
  };
  const onSuccess = (): void => {
    close();
    onChanged();
  };
  const applyRemedy = (): void => apply.mutate({ ...checked, id, change }, { onSuccess });
  return (
    <div>
      <Button size="small" onPress={() => setAsking(true)}>
        {applyWords.open}
      </Button>
      <Confirm
        title={applyWords.title(checked.host)}
        confirm={applyWords.go}
        isOpen={isAsking}
        isPending={apply.isPending}
        onClose={close}
        onConfirm={applyRemedy}
      >
        <Stack gap={12}>
          <p>{applyWords.story}</p>
          <code>{command}</code>
          <p className="muted">{risk}</p>
          <p className="muted">
            {words.wizard.check.undo}: <code>{undo}</code>
          </p>
          {apply.isPending ? <p aria-live="polite">{words.common.waitingFor(applyWords.waiting)}</p> : null}
          {apply.error ? <HostProblem problem={apply.error} onAgain={applyRemedy} /> : null}
        </Stack>
      </Confirm>
    </div>
  );
}
