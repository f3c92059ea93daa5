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

/** For presets, which name calculators that help to answer their question. */
export const CALCULATOR_IDS = ['data-volume', 'connections', 'participants'] as const;
export type CalculatorId = (typeof CALCULATOR_IDS)[number];

/** The question that each answers, for whoever only points at it. */
export const CALCULATOR_TITLES: Readonly<Record<CalculatorId, string>> = {
  'data-volume': 'How much data will pile up?',
  connections: 'How many connections does the database allow?',
  participants: 'For how many people is it enough?',
};

export interface Calculator {
  readonly id: string;
  readonly title: string;
  readonly story: string;
  readonly groups: readonly InputGroup[];
  /** Takes values that {@link readInputs} read: every input is there and within its range. */
  calculate(values: CalculatorValues): Calculation;
}
