import { expect, it } from 'vitest';
import { inOrder } from './inOrder.ts';
import type { CountedTest } from './messages.ts';

const files = ['core/a/far.test.ts', 'core/b/near.test.ts', 'core/b/c/below.test.ts', 'core/b/own.test.ts'];
const testOf = (file: number, index: number, ms: number): CountedTest => ({
  file,
  index,
  ms,
  name: '',
  steps: 0,
  failure: null,
  reached: [],
});

it('runs the nearest test files first, their fastest tests first, and slow tests last', () => {
  const tests = [
    testOf(0, 0, 1),
    testOf(1, 0, 5),
    testOf(1, 1, 2),
    testOf(1, 2, 3_000),
    testOf(2, 0, 1),
    testOf(3, 0, 50),
    testOf(3, 1, 900),
  ];
  const order = inOrder('core/b/own.ts', tests, files).map(({ file, tests }) => [file, tests.map(({ index }) => index)]);
  expect(order).toEqual([
    [3, [0]],
    [1, [1, 0]],
    [2, [0]],
    [0, [0]],
    [3, [1]],
    [1, [2]],
  ]);
  expect(inOrder('core/b/own.ts', [], files)).toEqual([]);
});
