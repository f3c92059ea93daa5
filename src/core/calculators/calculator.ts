import { formatBytes, formatCount, formatNumber } from '#core/base/units.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { getOwn, setOwn } from '#core/base/ownMembers.ts';

export interface CalculatorInput {
  readonly label: string;
  readonly help?: string;
  readonly unit?: string;
  /** Default value; null if the field is optional. */
  readonly default: number | null;
  readonly min: number;
  readonly max: number;
  /** Whether the number must be whole; true by default. */
  readonly whole?: boolean;
}

/** Inputs under a heading, by the name of their flag without dashes. */
export interface InputGroup {
  readonly title: string;
  readonly inputs: Readonly<Record<string, CalculatorInput>>;
  /** True for inputs that most people leave at their defaults. Their group is collapsed at first. */
  readonly folded?: boolean;
}

/** Format of a figure: bytes decimal and binary, exact counts, `times` as a multiple. */
export type FigureKind = 'count' | 'bytes' | 'perSecond' | 'times';

export interface FigureRow {
  readonly label: string;
  readonly kind: FigureKind;
  /** One value per column; null: not applicable. */
  readonly values: readonly (number | null)[];
}

export interface Note {
  readonly level: 'info' | 'warning' | 'problem';
  readonly text: string;
}

export interface Calculation {
  readonly sentence: string;
  readonly table: { readonly caption: string; readonly columns: readonly string[]; readonly rows: readonly FigureRow[] };
  readonly notes: readonly Note[];
}

/** Values by input name; null if not given. */
export type CalculatorValues = Readonly<Record<string, number | null>>;

/** Ids of the calculators in the order of display, the most frequent question first. A preset can name the calculator for its question. */
export const CALCULATOR_IDS = ['participants', 'connections', 'data-volume'] as const;
export type CalculatorId = (typeof CALCULATOR_IDS)[number];

export const CALCULATOR_TITLES: Readonly<Record<CalculatorId, string>> = {
  participants: 'For how many participants is it enough?',
  connections: 'How many connections does the database allow?',
  'data-volume': 'How much data will pile up?',
};

/**
 * A calculator computes figures around a test, such as the amount of data or the connections of a database. It declares its inputs, from
 * which the command line makes its options and the app its form.
 */
export interface Calculator {
  readonly id: string;
  readonly title: string;
  readonly story: string;
  readonly groups: readonly InputGroup[];
  /** Computes the figures from values of {@link readInputs}: every input is present and in range. */
  calculate(values: CalculatorValues): Calculation;
}

const GIBIBYTE = 2 ** 30;

/** Formats bytes in decimal units; from a gigabyte on also in binary ones: "913 GB (850 GiB)". */
export function formatVolume(bytes: number): string {
  const decimal = formatBytes(bytes);
  return bytes < 1e9 ? decimal : `${decimal} (${formatNumber(bytes / GIBIBYTE)} GiB)`;
}

const FORMATS: Readonly<Record<FigureKind, (value: number) => string>> = {
  count: formatCount,
  bytes: formatVolume,
  perSecond: (value) => `${formatNumber(value)}/s`,
  times: (value) => `${formatNumber(value)} ×`,
};

/** Formats one figure; empty if not applicable. */
export function formatFigure(kind: FigureKind, value: number | null): string {
  return value === null ? '' : FORMATS[kind](value);
}

/** Inputs as numbers or typed text; missing ones have their default. An empty optional input is null. */
export type GivenInputs = Readonly<Record<string, number | string | null | undefined>>;

interface ReadInputs {
  readonly values: CalculatorValues;
  /** The reason why each unusable input cannot be used, by input name. */
  readonly problems: Readonly<Record<string, string>>;
}

export function listInputs(calculator: Calculator): Readonly<Record<string, CalculatorInput>> {
  return Object.fromEntries(calculator.groups.flatMap(({ inputs }) => Object.entries(inputs)));
}

/** Parses all inputs and explains each unusable one, whose value is then its default. */
export function readInputs(calculator: Calculator, enteredInputs: GivenInputs): ReadInputs {
  const problems: Record<string, string> = {};
  const values: Record<string, number | null> = {};
  for (const [name, input] of Object.entries(listInputs(calculator))) {
    const read = readOne(input, getOwn(enteredInputs, name));
    setOwn(values, name, typeof read === 'string' ? input.default : read);
    if (typeof read === 'string') setOwn(problems, name, read);
  }
  return { values, problems };
}

/** Like {@link readInputs}, but throws `BAD_INPUT` that names every unusable input. */
export function requireInputs(calculator: Calculator, given: GivenInputs): CalculatorValues {
  const { values, problems } = readInputs(calculator, given);
  const lines = Object.entries(problems).map(([name, text]) => `--${name}: ${text}`);
  if (lines.length === 0) return values;
  throw new HoldfastError({ code: 'BAD_INPUT', message: 'This cannot be calculated with.', hint: lines.join('\n') });
}

function readOne(input: CalculatorInput, raw: number | string | null | undefined): number | null | string {
  if (raw === undefined || raw === null) return input.default;
  const isEmpty = typeof raw === 'string' && raw.trim() === '';
  if (isEmpty && input.default === null) return null;
  const value = isEmpty ? NaN : Number(raw);
  const { min, max, whole = true } = input;
  if (value >= min && value <= max && (!whole || Number.isInteger(value))) return value;
  return `Enter ${whole ? 'a whole number' : 'a number'} from ${min} to ${max}.`;
}
