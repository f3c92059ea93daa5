import type { NumberEntry } from '../components/numbers.ts';

/** What was typed, by the name of the input; what nobody touched is not there. */
export type Entries = Readonly<Record<string, NumberEntry>>;
