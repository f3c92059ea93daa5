import { type Role, ROLES } from '#core/machines/checks/finding.ts';
import { HERE } from '#core/plan/schema/hosts.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { Card } from '#ui/components/Card.tsx';
import { words } from '#ui/words/words.ts';
import { useAction, useCall } from '#ui/app/backend.ts';
import { HostProblem } from '#ui/app/machines/HostProblem.tsx';
import { OpenChanges } from '#ui/app/machines/RevertChange.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { Block, Skeleton } from '#ui/components/Skeleton.tsx';
import { PATH_LIMITS } from '#core/machines/checks/path/schema.ts';
import { formatBytes, formatSeconds } from '#core/base/units.ts';
import { Button } from '#ui/components/Button.tsx';
import { ProblemBanner } from '#ui/components/ProblemBanner.tsx';
import { FindingGroups, FindingList } from './FindingGroups.tsx';
import styles from './CheckPage.module.css';

const COST = `${formatSeconds(PATH_LIMITS.seconds)} and ${formatBytes(PATH_LIMITS.bytes)}`;

interface PathMeasureProps {
  readonly host: string | null;
  readonly purpose: Role;
  readonly plan: Plan;
  readonly agreed: string[];
}

/** Measures the bandwidth of a way. It makes traffic, so it says how much and is done only when asked for. */
function PathMeasure({ host, purpose: role, plan, agreed }: PathMeasureProps) {
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
function MachineCheck({ host, part: role, plan, agreed, isAgreed }: MachineCheckProps) {
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

interface RoleChecksProps {
  readonly plan: Plan;
  /** Every machine with a part in the load; `here` is this computer. */
  readonly roles: readonly { readonly name: string; readonly role: Role }[];
  /** What the person has agreed to, and whether that is all that the plan asks for. */
  readonly agreed: string[];
  readonly isAgreed: boolean;
}

/** What is found of each machine that was chosen, by what it is for the load. */
export function RoleChecks({ plan, roles, ...agreement }: RoleChecksProps) {
  const say = words.wizard.check;
  const [only] = roles;
  if (roles.length === 1 && only?.name === HERE && only.role === 'generator')
    return (
      <Card title={words.machines.here}>
        <p className={styles.muted}>{say.stories.generator}</p>
        <MachineCheck host={null} part="generator" plan={plan} {...agreement} />
      </Card>
    );
  return ROLES.flatMap((role) => {
    const names = roles.flatMap((one) => (one.role === role ? [one.name] : []));
    if (names.length === 0) return [];
    return [
      <Card key={role} title={words.machines.roles[role]}>
        <p className={styles.muted}>{say.stories[role]}</p>
        <div className={styles.machines}>
          {names.map((name) => (
            <section key={name} className={styles.machine} aria-label={shownName(name)}>
              <h3>{shownName(name)}</h3>
              <MachineCheck host={name === HERE ? null : name} part={role} plan={plan} {...agreement} />
            </section>
          ))}
        </div>
      </Card>,
    ];
  });
}

function shownName(name: string): string {
  return name === HERE ? words.machines.here : name;
}
