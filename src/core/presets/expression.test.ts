import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate, FormulaError } from './expression.ts';

const value = (formula: string, values: Record<string, number> = {}): number => evaluate(formula, new Map(Object.entries(values)));

describe('formula evaluation', () => {
  it.each<[string, number]>([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['10 - 4 - 3', 3],
    ['100 / 10 / 5', 2],
    ['-2 * 3', -6],
    ['2 * -3', -6],
    ['-(2 + 1)', -3],
    ['--2', 2],
    ['  1.5*2 ', 3],
    ['max(1, 2, 3) - min(4, 2)', 1],
    ['ceil(2.1) + floor(2.9) + round(2.5)', 8],
    ['ceil(750 / 5 * 0.1)', 15],
    ['0.1 + 0.2', 0.3],
    ['9007199254740991', 9007199254740991],
    ['people / pause + people / poll', 200],
  ])('computes %s = %d', (formula, expected) => {
    expect(value(formula, { people: 750, pause: 5, poll: 15 })).toBe(expected);
  });

  it.each([
    '',
    '1 +',
    '(1',
    '1)',
    '1 2',
    'a b',
    '1 ** 2',
    '$',
    'sin(1)',
    'constructor(1)',
    'ceil(1, 2)',
    'ceil()',
    '1,2',
    '"a"',
    'a.b',
    'a[0]',
    '1e999 x',
    'x => 1',
  ])('refuses “%s” instead of guessing', (formula) => expect(() => value(formula, { a: 1, x: 1 })).toThrow(FormulaError));

  it('rejects unknown names, division by zero and excessive nesting', () => {
    expect(() => value('people')).toThrow('people');
    expect(() => value('__proto__')).toThrow(FormulaError);
    expect(() => value('1 / 0')).toThrow('zero');
    expect(() => value(`${'('.repeat(200)}1${')'.repeat(200)}`)).toThrow('deeply');
    expect(() => value(`${'-'.repeat(500)}1`)).toThrow('deeply');
  });

  it('agrees with JavaScript for every generated formula', () => {
    const formula: fc.Arbitrary<string> = fc.letrec<{ any: string }>((tie) => ({
      any: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.integer({ min: 1, max: 99 }).map(String),
        fc.tuple(tie('any'), fc.constantFrom('+', '-', '*', '/'), tie('any')).map(([a, sign, b]) => `${a} ${sign} ${b}`),
        tie('any').map((inside) => `(${inside})`),
        tie('any').map((inside) => `-(${inside})`),
      ),
    })).any;
    fc.assert(
      fc.property(formula, (text) => {
        const expected = Number(new Function(`return ${text}`)());
        if (Number.isFinite(expected)) expect(value(text)).toBeCloseTo(expected, 6);
        else expect(() => value(text)).toThrow(FormulaError);
      }),
    );
  });

  it('rejects very long formulas', () => {
    expect(value(`1${' - 1'.repeat(200)}`)).toBe(-199);
    expect(() => value(`1${'-1'.repeat(20_000)}`)).toThrow(FormulaError);
  });

  it('throws no error other than FormulaError for any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          value(text);
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(FormulaError);
        }
      }),
    );
  });
});
