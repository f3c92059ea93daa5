import { Plus } from 'lucide-react';
import { type Role, ROLES } from '#core/machines/checks/finding.ts';
import { capitalizeStart, joinGeneratorNames } from '#core/plan/hosts/generatorNames.ts';
import { HERE } from '#core/plan/schema/hosts.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { useCall } from '#ui/shared/backend.ts';
import { LinkButton } from '#ui/components/Button.tsx';
import { Inline, Stack } from '#ui/components/Page.tsx';
import { ProblemBanner, Banner } from '#ui/components/Banner.tsx';
import { Skeleton } from '#ui/components/Placeholders.tsx';
import { laterWords } from '#ui/words/laterWords.ts';
import { words } from '#ui/words/words.ts';
import { Select } from '#ui/components/Choices.tsx';
import { formatCount } from '#core/base/units.ts';
import { HostConnection } from '#ui/shared/machines/HostConnection.tsx';
import type { Problem } from '#core/base/errors.ts';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { ChoiceField } from '../ChoiceField.tsx';
import { getChoice } from '../state/choices.ts';
import { namesOf, roleOf, rolesOf } from '../state/machineRoles.ts';
import { useWizard } from '../WizardProvider.tsx';
import styles from './RunFromPart.module.css';

/** Shows whether k6 is installed, and which figures it does not provide. */
function K6Facts({ isHere }: { readonly isHere: boolean }) {
  const k6 = useCall('app.k6', {});
  const engineWords = words.wizard.where.engine;
  const problem: Problem | null = k6.error ?? k6.data?.problem ?? null;
  return (
    <Stack gap={12}>
      {isHere ? null : <Banner tone="inconclusive">{engineWords.onlyHere}</Banner>}
      {problem === null ? (
        <p aria-live="polite">{k6.data?.version ? engineWords.found(k6.data.version) : engineWords.looking}</p>
      ) : (
        <ProblemBanner problem={problem} onRetry={() => void k6.refetch()} />
      )}
      <p>{engineWords.limits}</p>
    </Stack>
  );
}

type RoleChoice = Role | 'none';

interface MachineRowProps {
  /** Name of the machine; `here` for this computer. */
  readonly name: string;
  /** SSH address, or another text by which machines can be distinguished. */
  readonly way: string;
  readonly role: RoleChoice;
  readonly onRole: (role: RoleChoice) => void;
  readonly canBeTested?: boolean;
}

/** Row of a machine with its role and a test of its connection. */
function MachineRow({ name, way, role, onRole, canBeTested = false }: MachineRowProps) {
  const whereWords = words.wizard.where;
  const label = name === HERE ? words.machines.here : name;
  return (
    <li className={styles.machine} aria-label={label}>
      <div className={styles.which}>
        <p className={styles.name}>{label}</p>
        <p className="muted">{way}</p>
      </div>
      <div className={styles.role}>
        <Select
          label={whereWords.role(label)}
          hideLabel
          value={role}
          choices={[{ value: 'none', label: whereWords.unused }, ...ROLES.map((one) => ({ value: one, label: words.machines.roles[one] }))]}
          onChange={onRole}
        />
        <p className="muted">{whereWords.meaning[role]}</p>
      </div>
      {canBeTested ? (
        <div className={styles.test}>
          <HostConnection name={name} isFolded />
        </div>
      ) : null}
    </li>
  );
}

interface RunFromProps {
  /** Plan of the source with its own monitors; null if there is none. */
  readonly plan: Plan | null;
}

/**
 * Lets the user choose the load generators, their program, and the monitored machines. The section is collapsed, because most tests use
 * only this computer.
 */
export function RunFromPart({ plan }: RunFromProps) {
  const { choices } = useWizard().state;
  const { places } = choices;
  const whereWords = words.wizard.where;
  const generators = namesOf('generator', places, plan);
  const watched = rolesOf(places, plan).flatMap(({ name, role }) => (role === 'generator' ? [] : [name]));
  const program = getChoice('program', choices, plan);
  const summary = [
    ...(generators.length === 0 ? [] : [capitalizeStart(joinGeneratorNames(generators))]),
    ...(program === 'holdfast' ? [] : [whereWords.engine.choices[program].label]),
    ...(watched.length === 0 ? [] : [whereWords.watching(joinGeneratorNames(watched))]),
  ].join(' · ');
  return (
    <Disclosure level={2} title={whereWords.title} summary={summary} isOpenAtFirst={generators.length === 0}>
      <Stack gap={24}>
        <Machines plan={plan} />
        <Stack gap={12}>
          <ChoiceField name="program" plan={plan} />
          {program === 'k6' ? <K6Facts isHere={generators.length === 1 && generators[0] === HERE} /> : null}
        </Stack>
        {generators.length > 1 ? (
          <ChoiceField name="onLost" plan={plan} help={whereWords.loss.shared(formatCount(generators.length))} />
        ) : null}
      </Stack>
    </Disclosure>
  );
}

function Machines({ plan }: RunFromProps) {
  const { state, dispatch } = useWizard();
  const hosts = useCall('hosts.list', {});
  const { places } = state.choices;
  const whereWords = words.wizard.where;
  const listed = hosts.data?.map(({ name }) => name) ?? [];
  const gone = rolesOf(places, plan).flatMap(({ name }) => (name === HERE || listed.includes(name) ? [] : [name]));
  const roleIn = (name: string): RoleChoice => roleOf(name, places, plan) ?? 'none';
  const onRole = (name: string) => (chosen: RoleChoice) =>
    dispatch({ type: 'chosen', change: { places: { ...places, [name]: chosen === 'none' ? null : chosen } } });
  return (
    <Stack gap={16}>
      {hosts.error ? <ProblemBanner problem={hosts.error} onRetry={() => void hosts.refetch()} /> : null}
      <p className="muted">{whereWords.story}</p>
      <ul className={styles.machines}>
        <MachineRow name={HERE} way={whereWords.hereStory} role={roleIn(HERE)} onRole={onRole(HERE)} />
        {hosts.isPending ? (
          <li>
            <Skeleton waitingFor={laterWords.hosts.loading} heights={[72]} />
          </li>
        ) : null}
        {hosts.data?.map(({ name, address, user }) => (
          <MachineRow
            key={name}
            name={name}
            way={user === null ? address : `${user}@${address}`}
            role={roleIn(name)}
            onRole={onRole(name)}
            canBeTested
          />
        ))}
        {hosts.data === undefined
          ? null
          : gone.map((name) => <MachineRow key={name} name={name} way={whereWords.gone} role={roleIn(name)} onRole={onRole(name)} />)}
      </ul>
      {hosts.data?.length === 0 ? <p>{whereWords.none}</p> : null}
      <Inline>
        <LinkButton to="/hosts" icon={<Plus />}>
          {laterWords.hosts.add}
        </LinkButton>
      </Inline>
    </Stack>
  );
}
