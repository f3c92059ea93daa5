import type { Role } from '#core/machines/checks/finding.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { useCall } from '#ui/app/backend.ts';
import { HostProblem } from '#ui/app/machines/HostProblem.tsx';
import { OpenChanges } from '#ui/app/machines/RevertChange.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { Block, Skeleton } from '#ui/components/Skeleton.tsx';
import { words } from '#ui/words/words.ts';
import { FindingGroups } from './FindingGroups.tsx';
import { PathMeasure } from './PathMeasure.tsx';

interface MachineCheckProps {
  /** null: this computer. */
  readonly host: string | null;
  /** What it is for the load. */
  readonly part: Role;
  readonly plan: Plan;
  /** What the person has agreed to, and whether that is all that the plan asks for. */
  readonly agreed: string[];
  readonly isAgreed: boolean;
}

/** Findings about one machine for this plan; a host is entered for it. Those that are fine are folded into one line. */
export function MachineCheck({ host, part: role, plan, agreed, isAgreed }: MachineCheckProps) {
  const checks = useCall('checks.machine', { host, role, plan, agreed });
  const again = (): void => void checks.refetch();
  const say = words.wizard.check;
  return (
    <Stack gap={12}>
      <OpenChanges host={host} />
      {checks.error && !checks.isFetching ? <HostProblem problem={checks.error} onAgain={again} /> : null}
      {checks.isPending || (checks.error && checks.isFetching) ? (
        <Skeleton waitingFor={say.waiting(host ?? words.machines.here)}>
          <Block height={48} />
          <Block height={48} />
        </Skeleton>
      ) : null}
      {checks.data ? <FindingGroups findings={checks.data} checked={{ host, role, plan, agreed }} onChanged={again} /> : null}
      {isAgreed ? <PathMeasure host={host} purpose={role} plan={plan} agreed={agreed} /> : null}
    </Stack>
  );
}
