import type { Note } from '../calculator.ts';

/** Figures of one kind, to compare a stated one with. */
export interface Expected {
  /** As in a sentence: "students". */
  readonly what: string;
  readonly perYear: readonly number[];
  /** True when the same ones are there again the next year, so that adding the years up counts them twice. */
  readonly staying: boolean;
  readonly format: (value: number) => string;
  /** A unit that the figure may have been meant in, as binary gigabytes: how much larger it is, and its name. */
  readonly otherUnit?: { readonly factor: number; readonly name: string };
  /** Another figure that it may be, and what that is. */
  readonly also?: { readonly value: number; readonly meaning: string };
}

/** Says what a stated figure is: that of a year, a total, a total taken for a year's, people counted again each year, another unit. */
export function judgeStated(stated: number, expected: Expected): Note {
  const { what, format, otherUnit } = expected;
  const plain = meaningOf(stated, expected);
  if (plain) return plain;
  if (otherUnit) {
    const found = meaningOf(stated * otherUnit.factor, expected, significantDigits(stated));
    if (found)
      return {
        level: 'warning',
        text: `${format(stated)} ${what}, as stated, is counted in ${otherUnit.name}, which are larger: it is ${format(stated * otherUnit.factor)}. ${found.text}`,
      };
  }
  const all = [...expected.perYear, ...runningTotals(expected.perYear), ...(expected.also ? [expected.also.value] : [])];
  const [nearest = 0] = all.toSorted((one, other) => Math.abs(one - stated) - Math.abs(other - stated));
  return {
    level: 'problem',
    text: `${format(stated)} ${what}, as stated, does not follow from these inputs, neither for a year nor in total; the nearest is ${format(nearest)}.`,
  };
}

function meaningOf(value: number, { what, perYear, staying, format, also }: Expected, digits = significantDigits(value)): Note | null {
  const agrees = (exact: number): boolean => Number(exact.toPrecision(digits)) === Number(value.toPrecision(digits));
  const shown = `“${format(value)} ${what}”`;
  if (also && agrees(also.value)) return { level: 'info', text: `${shown} is ${also.meaning}.` };
  const year = perYear.findIndex(agrees);
  if (year !== -1) return { level: 'info', text: `${shown} is the figure of year ${year + 1}.` };
  const after = runningTotals(perYear).findIndex(agrees);
  if (after === -1) return null;
  if (staying)
    return {
      level: 'warning',
      text: `${shown} counts the same people again in each of ${after + 1} years; in year ${after + 1} there are ${format(perYear[after] ?? 0)}.`,
    };
  return after === perYear.length - 1
    ? { level: 'info', text: `${shown} is the total of all ${perYear.length} years, not the figure of one.` }
    : { level: 'warning', text: `${shown} is the total after ${after + 1} years, not what each year brings.` };
}

function runningTotals(perYear: readonly number[]): number[] {
  let total = 0;
  return perYear.map((value) => (total += value));
}

/** How exactly a figure was stated: 9,600 to 2 digits, 378.89 to 5. At least 2: nobody means 400 to be any number from 350 on. */
function significantDigits(value: number): number {
  const digits = value.toExponential().split('e')[0]?.replaceAll(/\D/g, '').length ?? 2;
  return Math.max(2, Math.min(digits, 15));
}
