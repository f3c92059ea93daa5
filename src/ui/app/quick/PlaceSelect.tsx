import { HERE } from '#core/plan/schema/hosts.ts';
import { Select } from '#ui/components/Select.tsx';
import { words } from '#ui/words/words.ts';
import { useCall } from '../backend.ts';

interface PlaceSelectProps {
  /** Name of a host, or `here`. */
  readonly value: string;
  readonly onChange: (place: string) => void;
  readonly help?: string;
}

/** Select field for the load generator; renders nothing if this computer is the only one. */
export function PlaceSelect({ value, onChange, help = '' }: PlaceSelectProps) {
  const hosts = useCall('hosts.list', {}).data ?? [];
  if (hosts.length === 0) return null;
  const places = [{ value: HERE, label: words.quick.here }, ...hosts.map(({ name }) => ({ value: name, label: name }))];
  return <Select label={words.quick.place} help={help} value={value} choices={places} onChange={onChange} />;
}

/** Returns the load generator as a property of a search or series; empty for this computer. */
export function onPlace(place: string): { on?: string[] } {
  return place === HERE ? {} : { on: [place] };
}
