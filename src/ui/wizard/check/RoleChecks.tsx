import { ROLES, type Role } from '#core/machines/checks/finding.ts';
import { HERE } from '#core/plan/schema/hosts.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { Card } from '#ui/components/Card.tsx';
import { words } from '#ui/words/words.ts';
import styles from './CheckPage.module.css';
import { MachineCheck } from './MachineCheck.tsx';

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
