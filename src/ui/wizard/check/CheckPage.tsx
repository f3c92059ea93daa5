import { Block, Skeleton } from '#ui/components/Skeleton.tsx';
import { Card } from '#ui/components/Card.tsx';
import { Checkbox } from '#ui/components/Checkbox.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { ProblemBanner } from '#ui/components/ProblemBanner.tsx';
import { words } from '#ui/words/words.ts';
import { IssueList } from '../IssueList.tsx';
import type { MadePlan } from '../state/makePlan.ts';
import { rolesOf } from '../state/where.ts';
import type { PlanInProgress } from '../usePlan.ts';
import { useWizard } from '../WizardContext.ts';
import styles from './CheckPage.module.css';
import { BreakingPointCard } from './BreakingPointCard.tsx';
import { PopulateCard } from './PopulateCard.tsx';
import { PlanSummary } from './PlanSummary.tsx';
import { RoleChecks } from './RoleChecks.tsx';

/** What will happen, what the machines can bear, and the permission of whoever owns the target. */
export function CheckPage({ plan }: { readonly plan: PlanInProgress }) {
  const { made, facts, problem } = plan;
  const { places } = useWizard().state;
  const say = words.wizard.check;
  if (problem) return <ProblemBanner problem={problem} onRetry={plan.retry} />;
  if (!made || facts.isWorking) {
    return (
      <Skeleton waitingFor={say.planWaiting}>
        <Block height={160} />
        <Block height={200} />
      </Skeleton>
    );
  }
  const roles = rolesOf(places, made.plan);
  return (
    <Stack gap={16}>
      {made.plan && made.description ? (
        <PlanSummary plan={made.plan} series={made.series} description={made.description} roles={roles} />
      ) : null}
      <Consent made={made} />
      {made.issues.length > 0 ? (
        <Card title={say.plan}>
          <IssueList issues={made.issues} />
        </Card>
      ) : null}
      {made.plan && Object.keys(made.plan.feeds ?? {}).length > 0 ? <PopulateCard plan={made.plan} /> : null}
      {made.plan ? <BreakingPointCard plan={made.plan} series={made.series} publicHosts={made.publicHosts} /> : null}
      {made.plan ? <RoleChecks plan={made.plan} roles={roles} /> : null}
    </Stack>
  );
}

function Consent({ made }: { readonly made: MadePlan }) {
  const { state, dispatch } = useWizard();
  const say = words.wizard.check;
  if (made.publicHosts.length === 0) return null;
  return (
    <Card title={say.consent}>
      <Stack gap={8}>
        <p>{say.consentStory}</p>
        {made.publicHosts.map((host) => (
          <Checkbox
            key={host}
            isSelected={state.consents.includes(host)}
            onChange={(given) => dispatch({ type: 'consentChanged', host, given })}
          >
            <span className={styles.host}>{say.consentHost(host)}</span>
          </Checkbox>
        ))}
      </Stack>
    </Card>
  );
}
