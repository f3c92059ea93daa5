import type { InputGroup } from '#core/calculators/calculator.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { Card } from '../components/Card.tsx';
import { Disclosure } from '../components/Disclosure.tsx';
import { NumberField } from '../components/NumberField.tsx';
import type { NumberEntry } from '../components/numbers.ts';
import { Stack } from '../components/Page.tsx';
import { words } from '../words/words.ts';
import type { Entries } from './entries.ts';

interface InputGroupsProps {
  readonly groups: readonly InputGroup[];
  readonly entries: Entries;
  /** Why an entry cannot be used, by the name of its input. */
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (name: string, entry: NumberEntry) => void;
}

/** The inputs under their headings; what most leave as it is lies folded. */
export function InputGroups({ groups, entries, problems, onChange }: InputGroupsProps) {
  const { asProposed, changed } = words.calculate;
  return (
    <Stack gap={16}>
      {groups.map(({ title, inputs, folded = false }) => {
        const fields = (
          <Stack gap={12}>
            {Object.entries(inputs).map(([name, input]) => (
              <NumberField
                key={name}
                label={input.label}
                value={getOwn(entries, name) ?? input.default ?? ''}
                onChange={(entry) => onChange(name, entry)}
                unit={input.unit ?? ''}
                help={input.help}
                error={getOwn(problems, name) ?? null}
                min={input.min}
                max={input.max}
              />
            ))}
          </Stack>
        );
        const count = Object.keys(inputs).filter(
          (name) => getOwn(entries, name) !== undefined && getOwn(entries, name) !== getOwn(inputs, name)?.default,
        ).length;
        return folded ? (
          <Disclosure key={title} level={2} title={title} summary={count === 0 ? asProposed : changed(count)}>
            {fields}
          </Disclosure>
        ) : (
          <Card key={title} title={title}>
            {fields}
          </Card>
        );
      })}
    </Stack>
  );
}
