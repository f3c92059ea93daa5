import { Skeleton } from '#ui/components/Placeholders.tsx';
import { Card, Stack } from '#ui/components/Page.tsx';
import { ProblemBanner, Banner } from '#ui/components/Banner.tsx';
import { words } from '#ui/words/words.ts';
import { IssueList } from '../IssueList.tsx';
import type { Agreement } from '../state/answers.ts';
import type { PlanInProgress } from '../usePlan.ts';
import { AgreementCard, GivenAgreement } from './AgreementCard.tsx';
import { BreakingPointCard } from './BreakingPointCard.tsx';
import { InvitePart } from './InvitePart.tsx';
import { PopulateCard } from './PopulateCard.tsx';
import { PlanSummary } from './PlanSummary.tsx';
import { RunFromPart } from './RunFromPart.tsx';
import { StateCard } from './StateCard.tsx';
import { useFirstLook } from './FirstLook.tsx';
import type { Trial } from './useTrial.ts';
import { GitCompareArrows, Users } from 'lucide-react';
import { useLocation } from 'wouter';
import { REHEARSING_PEOPLE, rehearsalPlan } from '#core/work/samples/rehearsal.ts';
import { formatCount } from '#core/base/units.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { useAction } from '#ui/shared/backend.ts';
import { HostProblem } from '#ui/shared/machines/HostProblem.tsx';
import { Button } from '#ui/components/Button.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { TextField } from '#ui/components/Field.tsx';
import { generatorChoices } from '../state/machineRoles.ts';
import { useWizard } from '../WizardProvider.tsx';
import { seriesOfVersions } from '#core/series/noise.ts';
import { useAddress, useConsent } from '#ui/shared/quickStart.tsx';

interface CheckPageProps {
  readonly plan: PlanInProgress;
  readonly agreement: Agreement;
  readonly trial: Trial;
}

/** Page with the problems that prevent a start or make figures unreliable, a summary of the test, and other ways to run it. */
export function CheckPage({ plan, agreement, trial }: CheckPageProps) {
  const { made, facts, problem } = plan;
  // Where a trial by one user is allowed, one further request to the address is allowed too.
  useFirstLook(trial.state !== 'none');
  const checkWords = words.wizard.check;
  if (problem) return <ProblemBanner problem={problem} onRetry={plan.retry} />;
  if (!made) return <CheckSkeleton />;
  const isAgreed = agreement.missing.length === 0;
  const { plan: checked, series, description } = made;
  const state = checked ? <StateCard plan={checked} preset={plan.preset} agreement={agreement} trial={trial} /> : null;
  return (
    <Stack gap={16}>
      {trial.state === 'failed' ? state : null}
      {facts.isWorking ? (
        <CheckSkeleton />
      ) : (
        <>
          <AgreementCard agreement={agreement} />
          {made.issues.length > 0 ? (
            <Card title={checkWords.plan}>
              <IssueList issues={made.issues} />
            </Card>
          ) : null}
          {trial.state === 'failed' ? null : state}
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
            {checked.bells === undefined || series !== null ? null : <RehearsalCard plan={checked} agreement={agreement} />}
            {series === null ? <InvitePart plan={checked} agreement={agreement} /> : null}
            <BreakingPointCard plan={checked} series={series} agreement={agreement} />
            {series === null && checked.targets.length === 1 ? <VersionsCard plan={checked} agreement={agreement} /> : null}
          </>
        ) : null}
      </Card>
    </Stack>
  );
}

function CheckSkeleton() {
  return <Skeleton waitingFor={words.wizard.check.planWaiting} heights={[160, 200]} />;
}

const rehearsalWords = words.wizard.check.rehearsal;
const PEOPLE = formatCount(REHEARSING_PEOPLE);

/** Card that runs the plan of a bell with only three people. */
function RehearsalCard({ plan, agreement }: { readonly plan: Plan; readonly agreement: Agreement }) {
  const { state } = useWizard();
  const [, navigate] = useLocation();
  const start = useAction('runs.start', ['runs.list']);
  const on = generatorChoices(state.choices.places, plan);
  const isAgreed = agreement.missing.length === 0;
  const press = (): void => {
    const input = {
      plan: rehearsalPlan(plan, REHEARSING_PEOPLE),
      agreed: agreement.keys,
      ...(on === undefined || on.length === 0 ? {} : { on }),
    };
    start.mutate(input, { onSuccess: ({ runId }) => navigate(`/runs/${runId}`) });
  };
  return (
    <Disclosure level={2} title={rehearsalWords.title(PEOPLE)} summary={rehearsalWords.summary}>
      <Stack gap={12}>
        <p>{rehearsalWords.story(PEOPLE)}</p>
        {start.error ? <HostProblem problem={start.error} onAgain={press} /> : null}
        {isAgreed ? null : <p className="muted">{words.searches.wizard.openConsent}</p>}
        <div>
          <Button icon={<Users />} isDisabled={!isAgreed} isPending={start.isPending} onPress={press}>
            {rehearsalWords.start(PEOPLE)}
          </Button>
        </div>
      </Stack>
    </Disclosure>
  );
}

const versionWords = words.series.versions;

interface VersionsCardProps {
  /** A plan with one target. */
  readonly plan: Plan;
  readonly agreement: Agreement;
}

/** Card that runs the plan against two versions in turn. */
function VersionsCard({ plan, agreement }: VersionsCardProps) {
  const { state } = useWizard();
  const [, navigate] = useLocation();
  const start = useAction('series.start', ['runs.list']);
  const address = useAddress();
  const { url } = address;
  const [target] = plan.targets;
  const isSame = url !== null && url === target?.url;
  const b = url === null || isSame ? null : { headers: {}, ...target, url };
  const consent = useConsent(b && { plan: { targets: [b] } });
  const isAgreed = agreement.missing.length === 0;
  const startSearch = (): void => {
    address.complain();
    if (b === null || !isAgreed || !consent.isGiven) return;
    const { plan: run, series } = seriesOfVersions(plan, { a: plan.targets, b: [b] });
    const on = generatorChoices(state.choices.places, plan);
    const document = { plan: run, series: { ...series, ...(on === undefined ? {} : { on }) } };
    const agreedKeys = [...new Set([...agreement.keys, ...consent.agreed])];
    start.mutate({ document, agreed: agreedKeys }, { onSuccess: ({ seriesId }) => navigate(`/series/${seriesId}`) });
  };
  return (
    <Disclosure level={2} title={versionWords.instead}>
      <Stack gap={12}>
        <p>{versionWords.insteadStory}</p>
        <TextField {...address.field} label={versionWords.b} onEnter={startSearch} />
        {isSame ? <Banner tone="inconclusive">{versionWords.sameAddress}</Banner> : null}
        {consent.boxes}
        {start.error ? <HostProblem problem={start.error} onAgain={startSearch} /> : null}
        {isAgreed ? null : <p className="muted">{words.searches.wizard.openConsent}</p>}
        <div>
          <Button
            icon={<GitCompareArrows />}
            isDisabled={!isAgreed || (url !== null && (b === null || !consent.isGiven))}
            isPending={start.isPending}
            onPress={startSearch}
          >
            {versionWords.start}
          </Button>
        </div>
      </Stack>
    </Disclosure>
  );
}
