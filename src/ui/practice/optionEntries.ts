import type { GivenOptions, LabOption } from '#core/base/lab/listing.ts';
import { words } from '../words/words.ts';

/** What was entered, by the name of the option; those left alone are not in it. */
export type Entries = Readonly<Record<string, string | number | boolean>>;

export interface ShownOption {
  readonly name: string;
  readonly option: Exclude<LabOption, { kind: 'path' }>;
}

/** Those that a screen offers: none that names a path of the machine. */
export function shownOptions(options: Readonly<Record<string, LabOption>>): ShownOption[] {
  return Object.entries(options).flatMap(([name, option]) => (option.kind === 'path' ? [] : [{ name, option }]));
}

/** What is wrong with an entry; null when nothing is. An empty number means its default. */
export function entryProblem(option: LabOption, entry: Entries[string] | undefined): string | null {
  if (option.kind !== 'number' || entry === undefined || entry === '') return null;
  const fits = typeof entry === 'number' && entry >= option.min && entry <= option.max && (!option.whole || Number.isInteger(entry));
  return fits ? null : words.practice.outside(option.min, option.max, option.whole);
}

/** What is sent: what was changed. */
export function givenFrom(entries: Entries): GivenOptions {
  return Object.fromEntries(Object.entries(entries).filter(([, entry]) => entry !== ''));
}
