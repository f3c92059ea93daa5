import type { UseQueryResult } from '@tanstack/react-query';
import type { HoldfastError } from '#core/base/errors.ts';
import { type CheckFinding, type Role, ROLES } from '#core/machines/checks/finding.ts';
import { HERE } from '#core/plan/schema/hosts.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { words } from '#ui/words/words.ts';
import { useAction, useCalls } from '#ui/shared/backend.ts';
import { HostProblem } from '#ui/shared/machines/HostProblem.tsx';
import { OpenChanges } from '#ui/shared/machines/RevertChange.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { Skeleton } from '#ui/components/Placeholders.tsx';
import { PATH_LIMITS } from '#core/machines/checks/path/schema.ts';
import { formatBytes, formatSeconds } from '#core/base/units.ts';
import { Button } from '#ui/components/Button.tsx';
import { ProblemBanner } from '#ui/components/Banner.tsx';
import { FindingGroups, FindingList } from './FindingGroups.tsx';
import styles from './CheckPage.module.css';

const PATH_COST = `${formatSeconds(PATH_LIMITS.seconds)} and ${formatBytes(PATH_LIMITS.bytes)}`;

interface PathMeasureProps {
  readonly host: string | null;
  readonly purpose: Role;
  readonly plan: Plan;
  readonly agreed: string[];
}

/** Measures the bandwidth of a network path. This causes traffic, so the amount is stated and the measurement starts only on request. */
function PathMeasure({ host, purpose: role, plan, agreed }: PathMeasureProps) {
  const measure = useAction('checks.path');
  const pathWords = words.wizard.check.path;
  const checked = { host, role, plan, agreed };
  const measurePath = (): void => measure.mutate(checked);
  const target = new URL(plan.targets[0]?.url ?? 'http://localhost').host;
  return (
    <div className={styles.path}>
      <Stack gap={8}>
        <p className="muted">{role === 'generator' ? pathWords.toTarget(target, PATH_COST) : pathWords.toHost(host ?? '', PATH_COST)}</p>
        <div>
          <Button isPending={measure.isPending} onPress={measurePath}>
            {pathWords.measure(host)}
          </Button>
        </div>
        {measure.isPending ? <p aria-live="polite">{words.common.waitingFor(pathWords.waiting)}</p> : null}
        {measure.error ? <ProblemBanner problem={measure.error} onRetry={measurePath} /> : null}
        {measure.data ? <FindingList findings={[measure.data]} checked={checked} onChanged={measurePath} /> : null}
      </Stack>
    </div>
  );
}

/** Findings about one machine for a plan. */
export interface MachineCheck {
  /** Name of the machine; `here` for this computer. */
  readonly name: string;
  readonly role: Role;
  readonly query: UseQueryResult<CheckFinding[], HoldfastError>;
}

/** Checks every machine that has a role in the load. Hosts are checked over SSH. */
export function useMachineChecks(
  plan: Plan,
  roles: readonly { readonly name: string; readonly role: Role }[],
  agreedKeys: string[],
): readonly MachineCheck[] {
  const inputs = roles.map(({ name, role }) => ({ host: hostOf(name), role, plan, agreed: agreedKeys }));
  const queries = useCalls('checks.machine', inputs);
  return roles.flatMap(({ name, role }, index) => {
    const query = queries[index];
    return query === undefined ? [] : [{ name, role, query }];
  });
}

interface RoleChecksProps {
  readonly checks: readonly MachineCheck[];
  readonly plan: Plan;
  /** Permissions that were given, and whether they are all that the plan needs. */
  readonly agreed: string[];
  readonly isAgreed: boolean;
}

/** Findings about all selected machines, grouped by role. */
export function RoleChecks({ checks, ...rest }: RoleChecksProps) {
  const checkWords = words.wizard.check;
  const [only] = checks;
  if (checks.length === 1 && only?.name === HERE && only.role === 'generator')
    return (
      <section aria-label={words.machines.here}>
        <h3>{words.machines.here}</h3>
        <p className="muted">{checkWords.stories.generator}</p>
        <OneMachine check={only} {...rest} />
      </section>
    );
  return ROLES.flatMap((role) => {
    const ofRole = checks.filter((check) => check.role === role);
    if (ofRole.length === 0) return [];
    return [
      <section key={role} aria-label={words.machines.roles[role]}>
        <h3>{words.machines.roles[role]}</h3>
        <p className="muted">{checkWords.stories[role]}</p>
        <div className={styles.machines}>
          {ofRole.map((check) => (
            <section key={check.name} className={styles.machine} aria-label={shownName(check.name)}>
              <h4>{shownName(check.name)}</h4>
              <OneMachine check={check} {...rest} />
            </section>
          ))}
        </div>
      </section>,
    ];
  });
}

/** Findings about one machine. Passed checks are collapsed into one line. */
function OneMachine({
  check: { name, role, query },
  plan,
  agreed,
  isAgreed,
}: Omit<RoleChecksProps, 'checks'> & { readonly check: MachineCheck }) {
  const checkAgain = (): void => void query.refetch();
  const host = hostOf(name);
  return (
    <Stack gap={12}>
      <OpenChanges host={host} />
      {query.error && !query.isFetching ? <HostProblem problem={query.error} onAgain={checkAgain} /> : null}
      {query.isPending || (query.error && query.isFetching) ? (
        <Skeleton waitingFor={words.wizard.check.waiting(host ?? words.machines.here)} heights={[48, 48]} />
      ) : null}
      {query.data ? <FindingGroups findings={query.data} checked={{ host, role, plan, agreed }} onChanged={checkAgain} /> : null}
      {isAgreed ? <PathMeasure host={host} purpose={role} plan={plan} agreed={agreed} /> : null}
    </Stack>
  );
}

/** Returns the host of a machine by its name; null for this computer. */
function hostOf(name: string): string | null {
  return name === HERE ? null : name;
}

function shownName(name: string): string {
  return name === HERE ? words.machines.here : name;
}
