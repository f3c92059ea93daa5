import { HoldfastError } from '#core/base/errors.ts';
import { getOwn, setOwn } from '#core/base/ownMembers.ts';
import type { Calculator, CalculatorInput, CalculatorValues } from './calculator.ts';

/** What was given: numbers, or texts as they were typed; left out, the default. Empty is nothing where nothing need be given. */
export type GivenInputs = Readonly<Record<string, number | string | null | undefined>>;

export interface ReadInputs {
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
