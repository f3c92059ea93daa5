import { formatBytes, formatCount, formatNumber } from '#core/base/units.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { getOwn, setOwn } from '#core/base/ownMembers.ts';

/**
 * Calculators answer questions around a test by arithmetic alone: how much data will pile up, how many connections a database
 * allows. Each declares what it asks, so that the command line and the app make their forms of the same data.
 */
export interface CalculatorInput {
  readonly label: string;
  readonly help?: string;
  readonly unit?: string;
  /** null: need not be given. */
  readonly default: number | null;
  readonly min: number;
  readonly max: number;
  /** True when left out. */
  readonly whole?: boolean;
}

/** Inputs by the name of their flag, without its dashes; under a heading. */
export interface InputGroup {
  readonly title: string;
  readonly inputs: Readonly<Record<string, CalculatorInput>>;
  /** True for what most people leave as it is. */
  readonly folded?: boolean;
}

/** How a figure is written: bytes both decimal and binary, counts exact, `times` as a multiple. */
export type FigureKind = 'count' | 'bytes' | 'perSecond' | 'times';

export interface FigureRow {
  readonly label: string;
  readonly kind: FigureKind;
  /** One for each column; null: such a figure makes no sense there. */
  readonly values: readonly (number | null)[];
}

export interface Note {
  readonly level: 'info' | 'warning' | 'problem';
  readonly text: string;
}

export interface Calculation {
  /** The answer in a sentence. */
  readonly sentence: string;
  readonly table: { readonly caption: string; readonly columns: readonly string[]; readonly rows: readonly FigureRow[] };
  readonly notes: readonly Note[];
}

/** Values by the name of the input; null where nothing was given. */
export type CalculatorValues = Readonly<Record<string, number | null>>;

/** In the order in which they are offered: capacity is what most ask for. Presets name calculators that help to answer their question. */
export const CALCULATOR_IDS = ['participants', 'connections', 'data-volume'] as const;
export type CalculatorId = (typeof CALCULATOR_IDS)[number];

/** The question that each answers, for whoever only points at it. */
export const CALCULATOR_TITLES: Readonly<Record<CalculatorId, string>> = {
  participants: 'For how many participants is it enough?',
  connections: 'How many connections does the database allow?',
  'data-volume': 'How much data will pile up?',
};

export interface Calculator {
  readonly id: string;
  readonly title: string;
  readonly story: string;
  readonly groups: readonly InputGroup[];
  /** Takes values that {@link readInputs} read: every input is there and within its range. */
  calculate(values: CalculatorValues): Calculation;
}

const GIBIBYTE = 2 ** 30;

/** Bytes in decimal units; from a gigabyte on also in the binary ones that disks are often counted in: "913 GB (850 GiB)". */
export function formatVolume(bytes: number): string {
  const decimal = formatBytes(bytes);
  return bytes < 1e9 ? decimal : `${decimal} (${formatNumber(bytes / GIBIBYTE)} GiB)`;
}

/** One figure as people read it; what makes no sense is empty. */
export function formatFigure(kind: FigureKind, value: number | null): string {
  if (value === null) return '';
  switch (kind) {
    case 'count':
      return formatCount(value);
    case 'bytes':
      return formatVolume(value);
    case 'perSecond':
      return `${formatNumber(value)}/s`;
    case 'times':
      return `${formatNumber(value)} ×`;
    default:
      return kind satisfies never;
  }
}

/** What was given: numbers, or texts as they were typed; left out, the default. Empty is nothing where nothing need be given. */
export type GivenInputs = Readonly<Record<string, number | string | null | undefined>>;

interface ReadInputs {
  readonly values: CalculatorValues;
  /** Why an input cannot be used, by its name. */
  readonly problems: Readonly<Record<string, string>>;
}

export function inputsOf(calculator: Calculator): Readonly<Record<string, CalculatorInput>> {
  return Object.fromEntries(calculator.groups.flatMap(({ inputs }) => Object.entries(inputs)));
}

/** Reads everything that was given and says of each input why it cannot be used; those have their default among the values. */
export function readInputs(calculator: Calculator, given: GivenInputs): ReadInputs {
  const problems: Record<string, string> = {};
  const values: Record<string, number | null> = {};
  for (const [name, input] of Object.entries(inputsOf(calculator))) {
    const read = readOne(input, getOwn(given, name));
    setOwn(values, name, typeof read === 'string' ? input.default : read);
    if (typeof read === 'string') setOwn(problems, name, read);
  }
  return { values, problems };
}

/** As {@link readInputs}. Throws `BAD_INPUT` that names every input which cannot be used. */
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
