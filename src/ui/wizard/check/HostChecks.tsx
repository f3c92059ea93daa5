import { useState } from 'react';
import { ROLES, type Role } from '#core/checks/finding.ts';
import type { Plan } from '#core/plan/schema.ts';
import { useAction, useCall } from '#ui/app/backend.ts';
import { Button } from '#ui/components/Button.tsx';
import { Card } from '#ui/components/Card.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { ProblemBanner } from '#ui/components/ProblemBanner.tsx';
import { Select } from '#ui/components/Select.tsx';
import { words } from '#ui/words/words.ts';
import styles from './CheckPage.module.css';
import { FindingGroups } from './FindingGroups.tsx';
import { PathMeasure } from './PathMeasure.tsx';

/** A card for each role that a host has; hosts are entered only when they are asked for. */
export function HostChecks({ plan }: { readonly plan: Plan }) {
  const hosts = useCall('hosts.list', {}).data ?? [];
  const say = words.wizard.check.hosts;
  if (hosts.length === 0) return null;
  return (
    <Card title={say.title}>
      <p className={styles.muted}>{say.story}</p>
      <Stack gap={24}>
        {hosts.map(({ name }) => (
          <HostCheck key={name} name={name} plan={plan} />
        ))}
      </Stack>
    </Card>
  );
}

function HostCheck({ name, plan }: { readonly name: string; readonly plan: Plan }) {
  const [role, setRole] = useState<Role>('target');
  const check = useAction('checks.machine');
  const say = words.wizard.check.hosts;
  const checked = { host: name, role, plan };
  const go = (): void => check.mutate(checked);
  return (
    <Stack gap={12}>
      <h3>{name}</h3>
      <div className={styles.hostRow}>
        <Select
          label={say.role(name)}
          value={role}
          choices={ROLES.map((one) => ({ value: one, label: say.roles[one] }))}
          onChange={(chosen) => {
            setRole(chosen);
            check.reset();
          }}
        />
        <Button isPending={check.isPending} onPress={go}>
          {say.check(name)}
        </Button>
      </div>
      {check.isPending ? <p aria-live="polite">{words.common.waitingFor(say.waiting(name))}</p> : null}
      {check.error ? <ProblemBanner problem={check.error} onRetry={go} /> : null}
      {check.data ? <FindingGroups findings={check.data} checked={checked} onChanged={go} /> : null}
      <PathMeasure key={role} host={name} purpose={role} plan={plan} />
    </Stack>
  );
}
