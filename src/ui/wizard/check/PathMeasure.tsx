import type { Role } from '#core/machines/checks/finding.ts';
import { PATH_LIMITS } from '#core/machines/checks/path/schema.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { formatBytes, formatSeconds } from '#core/base/units.ts';
import { useAction } from '#ui/app/backend.ts';
import { Button } from '#ui/components/Button.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { ProblemBanner } from '#ui/components/ProblemBanner.tsx';
import { words } from '#ui/words/words.ts';
import { FindingList } from './FindingGroups.tsx';
import styles from './CheckPage.module.css';

const COST = `${formatSeconds(PATH_LIMITS.seconds)} and ${formatBytes(PATH_LIMITS.bytes)}`;

interface PathMeasureProps {
  readonly host: string | null;
  readonly purpose: Role;
  readonly plan: Plan;
  readonly agreed: string[];
}

/** Measures the bandwidth of a way. It makes traffic, so it says how much and is done only when asked for. */
export function PathMeasure({ host, purpose: role, plan, agreed }: PathMeasureProps) {
  const measure = useAction('checks.path');
  const say = words.wizard.check.path;
  const checked = { host, role, plan, agreed };
  const go = (): void => measure.mutate(checked);
  const target = new URL(plan.targets[0]?.url ?? 'http://localhost').host;
  return (
    <div className={styles.path}>
      <Stack gap={8}>
        <p className={styles.muted}>{role === 'generator' ? say.toTarget(target, COST) : say.toHost(host ?? '', COST)}</p>
        <div>
          <Button isPending={measure.isPending} onPress={go}>
            {say.measure(host)}
          </Button>
        </div>
        {measure.isPending ? <p aria-live="polite">{words.common.waitingFor(say.waiting)}</p> : null}
        {measure.error ? <ProblemBanner problem={measure.error} onRetry={go} /> : null}
        {measure.data ? <FindingList findings={[measure.data]} checked={checked} onChanged={go} /> : null}
      </Stack>
    </div>
  );
}
