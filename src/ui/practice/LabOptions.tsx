import type { GivenOptions, LabOption } from '#core/base/lab/listing.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { words } from '../words/words.ts';
import { type FieldRecord, RecordField } from '#ui/components/RecordField.tsx';
import { Disclosure } from '../components/Disclosure.tsx';
import styles from './LabCard.module.css';

/** Entries by the name of the option. Options that were not touched are missing. */
export type Entries = Readonly<Record<string, string | number | boolean>>;

interface ShownOption {
  readonly name: string;
  readonly option: Exclude<LabOption, { kind: 'path' | 'hidden' }>;
}

/** Returns the options that the screen offers. Paths and hidden options are left out. */
export function listShownOptions(options: Readonly<Record<string, LabOption>>): ShownOption[] {
  return Object.entries(options).flatMap(([name, option]) =>
    option.kind === 'path' || option.kind === 'hidden' ? [] : [{ name, option }],
  );
}

/** Returns the error message for an entry, or null. An empty number stands for the default. */
export function entryProblem(option: LabOption, entry: Entries[string] | undefined): string | null {
  if (option.kind !== 'number' || entry === undefined || entry === '') return null;
  const fits = typeof entry === 'number' && entry >= option.min && entry <= option.max && (!option.whole || Number.isInteger(entry));
  return fits ? null : words.practice.outside(option.min, option.max, option.whole);
}

/** Returns the changed options, without empty entries. */
export function changedOptions(entries: Entries): GivenOptions {
  return Object.fromEntries(Object.entries(entries).filter(([, entry]) => entry !== ''));
}

interface LabOptionsProps {
  readonly options: readonly ShownOption[];
  readonly entries: Entries;
  readonly onChange: (name: string, entry: Entries[string]) => void;
}

/** Options of a practice server, including its faults. They are collapsed, because the defaults usually suffice. */
export function LabOptions({ options, entries, onChange }: LabOptionsProps) {
  const practiceWords = words.practice;
  const groups = [
    { title: practiceWords.options, of: options.filter(({ option }) => !option.fault) },
    { title: practiceWords.faults, of: options.filter(({ option }) => option.fault) },
  ];
  return (
    <div>
      {groups.map(({ title, of }) => {
        const changed = of.filter(({ name }) => getOwn(entries, name) !== undefined && getOwn(entries, name) !== '').length;
        return of.length === 0 ? null : (
          <Disclosure key={title} title={title} summary={changed > 0 ? practiceWords.changed(changed) : null}>
            <div className={styles.options}>
              {of.map((shownOption) => (
                <RecordField
                  key={shownOption.name}
                  field={fieldOf(shownOption)}
                  value={getOwn(entries, shownOption.name) ?? shownOption.option.default ?? ''}
                  error={entryProblem(shownOption.option, getOwn(entries, shownOption.name))}
                  onChange={(entry) => onChange(shownOption.name, entry)}
                />
              ))}
            </div>
          </Disclosure>
        );
      })}
    </div>
  );
}

/** Returns the description of an option's field. */
function fieldOf({ option }: ShownOption): FieldRecord {
  const { label, help } = option;
  switch (option.kind) {
    case 'number': {
      const { unit, min, max } = option;
      const unset = option.default === null ? words.practice.leftEmpty(option.unset) : '';
      return { kind: 'number', label, help: `${help} ${unset}`.trim(), unit, min, max };
    }
    case 'choice':
      return { kind: 'select', label, help, choices: option.choices };
    case 'switch':
      return { kind: 'switch', label, help };
    default:
      return option satisfies never;
  }
}
