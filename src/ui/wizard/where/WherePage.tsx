import { Plus } from 'lucide-react';
import { type Role, ROLES } from '#core/machines/checks/finding.ts';
import { HERE } from '#core/plan/schema/hosts.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { useCall } from '#ui/app/backend.ts';
import { Card } from '#ui/components/Card.tsx';
import { LinkButton } from '#ui/components/Button.tsx';
import { Inline, Stack } from '#ui/components/Page.tsx';
import { ProblemBanner } from '#ui/components/ProblemBanner.tsx';
import { Block, Skeleton } from '#ui/components/Skeleton.tsx';
import { words } from '#ui/words/words.ts';
import { makerOf, namesOf, roleOf, rolesOf } from '../state/where.ts';
import { useWizard } from '../WizardContext.ts';
import { LossChoice } from './LossChoice.tsx';
import { MakerChoice } from './MakerChoice.tsx';
import { MachineRow, type RoleChoice } from './MachineRow.tsx';
import styles from './WherePage.module.css';

interface WherePageProps {
  /** What the source of the plan watches by itself; null where there is no plan yet. */
  readonly plan: Plan | null;
}

/** Which machines make the load, and which are watched while it goes. */
export function WherePage({ plan }: WherePageProps) {
  const { state, dispatch } = useWizard();
  const hosts = useCall('hosts.list', {});
  const { places } = state;
  const say = words.wizard.where;
  const listed = hosts.data?.map(({ name }) => name) ?? [];
  const gone = rolesOf(places, plan).flatMap(({ name }) => (name === HERE || listed.includes(name) ? [] : [name]));
  const roleIn = (name: string): RoleChoice => roleOf(name, places, plan) ?? 'none';
  const onRole = (name: string) => (chosen: RoleChoice) =>
    dispatch({ type: 'placeChanged', name, role: ROLES.find((role): role is Role => role === chosen) ?? null });
  const makers = namesOf('generator', places, plan);
  return (
    <Stack gap={16}>
      {hosts.error ? <ProblemBanner problem={hosts.error} onRetry={() => void hosts.refetch()} /> : null}
      <Card title={say.machines}>
        <Stack gap={16}>
          <p className={styles.muted}>{say.story}</p>
          <ul className={styles.machines}>
            <MachineRow name={HERE} way={say.hereStory} role={roleIn(HERE)} onRole={onRole(HERE)} />
            {hosts.isPending ? (
              <li>
                <Skeleton waitingFor={words.hosts.loading}>
                  <Block height={72} />
                </Skeleton>
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
              : gone.map((name) => <MachineRow key={name} name={name} way={say.gone} role={roleIn(name)} onRole={onRole(name)} />)}
          </ul>
          {hosts.data?.length === 0 ? <p>{say.none}</p> : null}
          <Inline>
            <LinkButton to="/hosts" icon={<Plus />}>
              {words.hosts.add}
            </LinkButton>
          </Inline>
        </Stack>
      </Card>
      <MakerChoice planned={plan === null ? 'holdfast' : makerOf(plan)} isHere={makers.length === 1 && makers[0] === HERE} />
      {makers.length > 1 ? <LossChoice count={makers.length} planned={plan?.onLostGenerator ?? 'continue'} /> : null}
    </Stack>
  );
}
