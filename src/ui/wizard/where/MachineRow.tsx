import { ROLES, type Role } from '#core/machines/checks/finding.ts';
import { HERE } from '#core/plan/schema/hosts.ts';
import { HostTest } from '#ui/app/machines/HostTest.tsx';
import { Select } from '#ui/components/Select.tsx';
import { words } from '#ui/words/words.ts';
import styles from './WherePage.module.css';

export type RoleChoice = Role | 'none';

interface MachineRowProps {
  /** `here` for this computer. */
  readonly name: string;
  /** How it is reached, or what else tells it from the others. */
  readonly way: string;
  readonly role: RoleChoice;
  readonly onRole: (role: RoleChoice) => void;
  readonly canBeTested?: boolean;
}

/** One machine: what it is for the load, and whether it can be entered. */
export function MachineRow({ name, way, role, onRole, canBeTested = false }: MachineRowProps) {
  const say = words.wizard.where;
  const shown = name === HERE ? words.machines.here : name;
  return (
    <li className={styles.machine} aria-label={shown}>
      <div className={styles.which}>
        <p className={styles.name}>{shown}</p>
        <p className={styles.muted}>{way}</p>
      </div>
      <div className={styles.role}>
        <Select
          label={say.role(shown)}
          hideLabel
          value={role}
          choices={[{ value: 'none', label: say.unused }, ...ROLES.map((one) => ({ value: one, label: words.machines.roles[one] }))]}
          onChange={onRole}
        />
        <p className={styles.muted}>{say.meaning[role]}</p>
      </div>
      {canBeTested ? (
        <div className={styles.test}>
          <HostTest name={name} isFolded />
        </div>
      ) : null}
    </li>
  );
}
