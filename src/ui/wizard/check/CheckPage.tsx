import { Block, Skeleton } from '#ui/components/Placeholders.tsx';
import { Card, Stack } from '#ui/components/Page.tsx';
import { ProblemBanner } from '#ui/components/Banner.tsx';
import { words } from '#ui/words/words.ts';
import { IssueList } from '../IssueList.tsx';
import type { Agreement } from '../state/answers.ts';
import type { PlanInProgress } from '../usePlan.ts';
import { AgreementCard, GivenAgreement } from './AgreementCard.tsx';
import { BreakingPointCard } from './BreakingPointCard.tsx';
import { PopulateCard } from './PopulateCard.tsx';
import { PlanSummary } from './PlanSummary.tsx';
import { RunFromPart } from './RunFromPart.tsx';
import { StateCard } from './StateCard.tsx';
import { useFirstLook } from './useFirstLook.ts';
import type { Trial } from './useTrial.ts';
import { VersionsCard } from './VersionsCard.tsx';

interface CheckPageProps {
  readonly plan: PlanInProgress;
  readonly agreement: Agreement;
  readonly trial: Trial;
}

/** Problems that prevent a start or make figures unreliable, then a summary of the test, then other ways to run it. */
export function CheckPage({ plan, agreement, trial }: CheckPageProps) {
  const { made, facts, problem } = plan;
  // If a trial by one user is allowed, so is one more request to the address.
  useFirstLook(trial.state !== 'none');
  const say = words.wizard.check;
  if (problem) return <ProblemBanner problem={problem} onRetry={plan.retry} />;
  if (!made) return <CheckSkeleton />;
  const isAgreed = agreement.missing.length === 0;
  const { plan: checked, series, description } = made;
  const state = checked ? <StateCard plan={checked} preset={plan.preset} agreement={agreement} trial={trial} /> : null;
  return (
    <Stack gap={16}>
      {trial.state === 'bad' ? state : null}
      {facts.isWorking ? (
        <CheckSkeleton />
      ) : (
        <>
          <AgreementCard agreement={agreement} />
          {made.issues.length > 0 ? (
            <Card title={say.plan}>
              <IssueList issues={made.issues} />
            </Card>
          ) : null}
          {trial.state === 'bad' ? null : state}
          {checked && isAgreed && Object.keys(checked.feeds ?? {}).length > 0 ? (
            <PopulateCard plan={checked} agreed={agreement.keys} />
          ) : null}
        </>
      )}
      {checked && description ? <PlanSummary plan={checked} series={series} description={description} /> : null}
      <Card>
        <RunFromPart plan={checked} />
        {facts.isWorking ? null : <GivenAgreement agreement={agreement} />}
        {checked && !facts.isWorking ? (
          <>
            <BreakingPointCard plan={checked} series={series} agreement={agreement} />
            {series === null && checked.targets.length === 1 ? <VersionsCard plan={checked} agreement={agreement} /> : null}
          </>
        ) : null}
      </Card>
    </Stack>
  );
}

function CheckSkeleton() {
  return (
    <Skeleton waitingFor={words.wizard.check.planWaiting}>
      <Block height={160} />
      <Block height={200} />
    </Skeleton>
  );
}
