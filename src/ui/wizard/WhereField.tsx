import { useCall } from '#ui/app/backend.ts';
import { Select } from '#ui/components/Select.tsx';
import { words } from '#ui/words/words.ts';

interface WhereFieldProps {
  /** Name of the host; null for this computer. */
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
}

/** No host can be called so. */
const HERE = ':here';

/** Chooses where the load comes from. Shown only when there is something to choose. */
export function WhereField({ value, onChange }: WhereFieldProps) {
  const hosts = useCall('hosts.list', {}).data ?? [];
  const say = words.hosts.where;
  if (hosts.length === 0) return null;
  return (
    <Select
      label={say.label}
      value={value ?? HERE}
      choices={[{ value: HERE, label: say.here }, ...hosts.map(({ name }) => ({ value: name, label: name }))]}
      onChange={(chosen) => onChange(chosen === HERE ? null : chosen)}
      help={value === null ? undefined : say.help}
    />
  );
}
