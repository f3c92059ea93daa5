import type { Plan } from '#core/plan/schema.ts';
import { useCall } from '#ui/app/backend.ts';
import { Card } from '#ui/components/Card.tsx';
import { ProblemBanner } from '#ui/components/ProblemBanner.tsx';
import { Block, Skeleton } from '#ui/components/Skeleton.tsx';
import { words } from '#ui/words/words.ts';
import styles from './CheckPage.module.css';
import { FindingGroups } from './FindingGroups.tsx';
import { PathMeasure } from './PathMeasure.tsx';

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
      {checks.data ? (
        <FindingGroups findings={checks.data} checked={{ host: null, role: 'generator', plan }} onChanged={() => void checks.refetch()} />
      ) : null}
      <PathMeasure host={null} purpose="generator" plan={plan} />
    </Card>
  );
}
