import type { CheckFinding } from '#core/machines/checks/finding.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Preset } from '#core/presets/schema.ts';
import { Card, Stack } from '#ui/components/Page.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { type Severity, SeverityMark } from '#ui/components/Marks.tsx';
import { words } from '#ui/words/words.ts';
import type { Agreement } from '../state/answers.ts';
import { rolesOf } from '../state/machineRoles.ts';
import { useWizard } from '../WizardProvider.tsx';
import styles from './CheckPage.module.css';
import { TargetProbes, useObjections } from './FirstLook.tsx';
import { type MachineCheck, RoleChecks, useMachineChecks } from './RoleChecks.tsx';
import type { Trial } from './useTrial.ts';
import type { ReactNode } from 'react';
import type { TryReport } from '#core/work/samples/tryPlan.ts';
import { Button } from '#ui/components/Button.tsx';
import { ProblemBanner } from '#ui/components/Banner.tsx';
import { Skeleton } from '#ui/components/Placeholders.tsx';
import { SampleList } from '#ui/run/samples/SampleList.tsx';

const stateWords = words.wizard.check.state;

interface StateCardProps {
  readonly plan: Plan;
  readonly preset: Preset | null;
  readonly agreement: Agreement;
  readonly trial: Trial;
}

/** One line that states whether the test can start. The details are visible if something must be corrected, and otherwise collapsed. */
export function StateCard({ plan, preset, agreement, trial }: StateCardProps) {
  const { places } = useWizard().state.choices;
  const isAgreed = agreement.missing.length === 0;
  const checks = useMachineChecks(plan, rolesOf(places, plan), agreement.keys);
  const { isProblem, warnings } = useObjections(plan, preset);
  const findings = checks.flatMap(({ query }) => query.data ?? []);
  const isRefused = checks.some(({ query }) => query.error !== null && !query.isFetching);
  // No mark is shown until the trial and all checks have ended.
  const isPending = trial.state !== 'failed' && !isRefused && (trial.state === 'running' || checks.some(({ query }) => query.isPending));
  const level = worstSeverity(
    trial.state === 'failed' || isRefused || isProblem ? 'problem' : 'ok',
    warnings.length > 0 ? 'warning' : 'ok',
    ...findings.map(severityOf),
  );
  return (
    <Card>
      <Disclosure
        level={2}
        title={
          <span className={styles.fine}>
            {isPending ? null : <SeverityMark level={level} />} <span aria-live="polite">{stateSentence(trial, checks, isRefused)}</span>
          </span>
        }
        summary={[...warnings, getSummary(findings, checks)].join(' ')}
        isHeldOpen={level === 'problem'}
      >
        <Stack gap={16}>
          <TrialPart trial={trial}>
            <TargetProbes plan={plan} preset={preset} />
          </TrialPart>
          <RoleChecks checks={checks} plan={plan} agreed={agreement.keys} isAgreed={isAgreed} />
        </Stack>
      </Disclosure>
    </Card>
  );
}

function stateSentence(trial: Trial, checks: readonly MachineCheck[], isRefused: boolean): string {
  switch (trial.state) {
    case 'failed':
      return words.samples.bad;
    case 'passed':
      return words.samples.good;
    case 'running':
      return words.common.waitingFor(words.samples.trying);
    case 'none':
      return isRefused ? stateWords.refused : checks.some(({ query }) => query.isPending) ? stateWords.checking : stateWords.checked;
    default:
      return trial.state satisfies never;
  }
}

/** Returns a summary such as “1 warning · 18 checks passed”; empty until all checks have ended. */
function getSummary(findings: readonly CheckFinding[], checks: readonly MachineCheck[]): string {
  if (checks.some(({ query }) => query.isPending)) return '';
  const countFindings = (...levels: readonly CheckFinding['level'][]): number =>
    findings.filter(({ level }) => levels.includes(level)).length;
  const parts = [
    [countFindings('problem'), stateWords.problems],
    [countFindings('warning'), stateWords.warnings],
    [countFindings('info', 'unknown'), stateWords.notes],
    [countFindings('ok'), words.wizard.check.fine],
  ] as const;
  return parts.flatMap(([number, text]) => (number === 0 ? [] : [text(number)])).join(' · ');
}

const SEVERE: readonly Severity[] = ['problem', 'warning'];

/** Returns the severity of a finding, which is `ok` if the finding only informs. */
function severityOf({ level }: CheckFinding): Severity {
  return SEVERE.includes(level) ? level : 'ok';
}

function worstSeverity(...levels: readonly Severity[]): Severity {
  return SEVERE.find((level) => levels.includes(level)) ?? 'ok';
}

const texts = words.samples;

interface TrialPartProps {
  readonly trial: Trial;
  /** Further findings about the server. */
  readonly children?: ReactNode;
}

/** Shows every request of the trial with its response. */
function TrialPart({ trial: { state, report, problem, again }, children }: TrialPartProps) {
  if (state === 'none') return null;
  return (
    <section aria-label={texts.trial}>
      <Stack gap={12}>
        <div className={styles.partHead}>
          <h3>{texts.trial}</h3>
          <Button size="small" onPress={again} isPending={state === 'running'}>
            {texts.again}
          </Button>
        </div>
        {state === 'running' ? <Skeleton waitingFor={texts.trying} heights={[48]} /> : null}
        {problem && state === 'failed' ? <ProblemBanner problem={problem} /> : null}
        {report !== null && state !== 'running' ? <Report report={report} /> : null}
        {children}
      </Stack>
    </section>
  );
}

function Report({ report: { samples, isGood, notReached, problem } }: { readonly report: TryReport }) {
  return (
    <>
      {notReached.length === 0 ? null : (
        <p>
          <SeverityMark level="problem" /> {texts.notReached(notReached.map((name) => `“${name}”`).join(', '))}
        </p>
      )}
      {problem ? <ProblemBanner problem={problem} /> : null}
      {samples.length === 0 ? null : (
        <Disclosure title={texts.requests} level={4} isOpenAtFirst={!isGood}>
          <SampleList samples={samples} />
        </Disclosure>
      )}
    </>
  );
}
